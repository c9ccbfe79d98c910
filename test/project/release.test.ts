/** The two commits of a release, made and checked by the release script in a temporary repository. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectDir } from '../../sandbox/runner/action.ts'
import { checkRelease, paths, pinRelease, releaseNotes } from '../../scripts/release.ts'
import { reusableWorkflows } from '../../scripts/reusable-workflows.ts'
import { bundledSbom } from '../../scripts/sbom.ts'

const folder = mkdtempSync(join(tmpdir(), 'release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let prepared: ReturnType<typeof prepare> | undefined
let clones = 0

/** A clone with this project's workflows, prepared for the release of 1.2.0. */
function clone() {
  prepared ??= prepare(join(folder, 'prepared'))
  const root = join(folder, String(++clones))
  cpSync(prepared.root, root, { recursive: true })
  return { ...toolsFor(root), code: prepared.code }
}

function toolsFor(root: string) {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const commit = (message: string) => {
    git('add', '--all')
    git('commit', '--quiet', '--message', message)
    return git('rev-parse', 'HEAD')
  }
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  return { root, git, write, commit, read }
}

function prepare(root: string) {
  mkdirSync(root)
  const { git, write, commit } = toolsFor(root)
  git('init', '--quiet')
  for (const [key, value] of Object.entries({
    'user.name': 'mona',
    'user.email': 'mona@example.com',
    'commit.gpgsign': 'false',
  }))
    git('config', key, value)
  for (const path of paths) cpSync(join(projectDir, path), join(root, path))
  write('package.json', '{ "version": "1.2.0" }')
  write('CHANGELOG.md', '# Changelog\n\n## [1.2.0] - 2026-12-01\n\n- A fix.\n')
  write('dist/index.js', 'first')
  return { root, code: commit('Release 1.2.0') }
}

it('every reusable workflow names the first commit, and nothing else changes', () => {
  expect(paths).toEqual(reusableWorkflows.map(({ path }) => path))
  const { root, code, git, read } = clone()
  const before = paths.map(read)
  expect(pinRelease(root)).toBe('1.2.0')
  expect(git('rev-parse', 'HEAD^')).toBe(code)
  for (const [index, path] of paths.entries()) {
    const own = read(path).match(/uses: OWNER\/.*/g)
    expect(own).toEqual([expect.stringMatching(new RegExp(`@${code} # v1\\.2\\.0$`))])
    const others = (text = '') => text.replace(/uses: OWNER\/.*/g, '')
    expect(others(read(path))).toBe(others(before[index]))
  }
  expect(checkRelease(root, 'v1.2.0')).toBe('- A fix.')
})

it.each<[string, (repository: ReturnType<typeof clone>) => void, RegExp]>([
  [
    'changes that are not committed',
    ({ write }) => write('dist/index.js', 'second'),
    /Commit your changes first/,
  ],
  [
    'a version without a date',
    ({ write, commit }) => {
      write('CHANGELOG.md', '## [1.2.0]\n\n- A fix.\n')
      commit('No date')
    },
    /needs a section "## \[1\.2\.0\] - YYYY/,
  ],
])('a release is not made if there is a problem: %s', (_, spoil, fault) => {
  const repository = clone()
  spoil(repository)
  const before = repository.git('rev-parse', 'HEAD')
  expect(() => pinRelease(repository.root)).toThrow(fault)
  expect(repository.git('rev-parse', 'HEAD')).toBe(before)
})

it.each<[string, (repository: ReturnType<typeof clone>) => void, RegExp]>([
  [
    'whose second commit has another dist/',
    ({ write, git }) => {
      write('dist/index.js', 'second')
      git('add', '--all')
      git('commit', '--quiet', '--amend', '--no-edit')
    },
    /also changes dist\/index\.js/,
  ],
  [
    'whose second commit also changes another file',
    ({ write, git }) => {
      write('action.yml', 'name: Other')
      git('add', '--all')
      git('commit', '--quiet', '--amend', '--no-edit')
    },
    /also changes action\.yml/,
  ],
  [
    'with a commit in between',
    ({ write, commit }) => {
      write('README.md', 'Later')
      commit('Later')
    },
    /docs-command\.yml names/,
  ],
  [
    'that was squashed',
    ({ git }) => {
      git('reset', '--quiet', '--soft', 'HEAD~1')
      git('commit', '--quiet', '--amend', '--message', 'Squashed')
      git('commit', '--quiet', '--allow-empty', '--message', 'Tagged')
    },
    /docs-command\.yml names/,
  ],
])('a faulty release is reported: one %s', (_, spoil, fault) => {
  const repository = clone()
  pinRelease(repository.root)
  spoil(repository)
  expect(() => checkRelease(repository.root, 'v1.2.0')).toThrow(fault)
})

it('a tag whose version differs from package.json is reported', () => {
  const { root } = clone()
  pinRelease(root)
  expect(() => checkRelease(root, 'v1.3.0')).toThrow('the tag is v1.2.0')
})

it.each([
  ['is missing', ''],
  ['has no date', '## [1.1.0] - unreleased\n\n- A fix.\n'],
  ['has no text', '## [1.1.0] - 2026-11-01\n\n[1.1.0]: https://example.com\n'],
])('a release without notes is rejected: its section %s', (_, section) => {
  expect(() =>
    releaseNotes('1.1.0', `# Changelog\n\n${section}## [1.0.0] - 2026-10-01\n\n- The first.\n`),
  ).toThrow('needs a section')
})

it('the SBOM lists every bundled package, and no others', () => {
  const licenses = readFileSync(join(projectDir, 'dist/licenses.txt'), 'utf8')
  const { packages, relationships } = bundledSbom(projectDir)
  const names = packages.map(({ name, versionInfo }) => `${name} ${versionInfo}`)
  expect(names[0]).toMatch(/^docs-agent-action /)
  expect(names.slice(1).toSorted()).toEqual(
    [...licenses.matchAll(/^(@?[\w./-]+ \d+\.\d+\.\d+\S*) \(.+\)$/gm)].map(([, name]) => name).toSorted(),
  )
  expect(relationships.length).toBeGreaterThan(packages.length - 2)
})

/** Whether a commit is in this clone. CI clones contain only the newest commit. */
function isHere(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: projectDir, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const pins = paths.flatMap((path) => [
  ...readFileSync(join(projectDir, path), 'utf8').matchAll(/docs-agent-action\/?(\w*)@([0-9a-f]{40})/g),
])

it.skipIf(!pins.every(([, , commit = '']) => isHere(commit)))(
  'the reusable workflows name a commit that contains the action and its bundle',
  () => {
    expect(pins).toHaveLength(paths.length)
    for (const [, folder = '', commit = ''] of pins)
      for (const file of [folder === '' ? 'action.yml' : `${folder}/action.yml`, 'dist/index.js']) {
        const kind = execFileSync('git', ['cat-file', '-t', `${commit}:${file}`], {
          cwd: projectDir,
          encoding: 'utf8',
        })
        expect(kind).toBe('blob\n')
      }
  },
)

describe('release.yml', () => {
  type Job = {
    environment?: string
    permissions?: Record<string, string>
    steps: { id?: string; run?: string }[]
  }
  const text = readFileSync(join(projectDir, '.github/workflows/release.yml'), 'utf8')
  const { jobs } = parse(text) as { jobs: Record<string, Job> }

  it.each([
    ['is the newest commit of main', 'identical', 0],
    ['is an earlier commit of main', 'ahead', 0],
    ['is not on main', 'diverged', 1],
    ['is newer than main', 'behind', 1],
  ])('releases a tag only from main: its commit %s', (_, status, code) => {
    const bin = mkdtempSync(join(folder, 'bin-'))
    const gh = `#!/bin/sh\ncase "$2" in */compare/*...main) echo ${status};; *) echo abc;; esac\n`
    writeFileSync(join(bin, 'gh'), gh, { mode: 0o755 })
    const run = jobs.resolve?.steps.find(({ id }) => id === 'commit')?.run ?? ''
    const env = {
      PATH: `${bin}:${process.env.PATH}`,
      GITHUB_OUTPUT: join(bin, 'output'),
      GITHUB_REPOSITORY: 'acme/action',
      GITHUB_REF_NAME: 'v1.2.3',
    }
    expect(spawnSync('bash', ['-e', '-c', run], { env }).status).toBe(code)
  })

  it('gives a token that signs or writes, and the key for the major tag, only to the environment', () => {
    const writing = Object.values(jobs).filter(
      (job) => JSON.stringify(job).includes('secrets.') || JSON.stringify(job.permissions).includes('write'),
    )
    expect(writing.map(({ environment }) => environment)).toEqual(['release'])
  })
})

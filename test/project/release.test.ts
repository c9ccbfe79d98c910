/** The two commits of a release, made and checked by the release script in a temporary repository. */
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectDir } from '../../sandbox/runner/action.ts'
import { checkRelease, paths, pinRelease } from '../../scripts/release.ts'
import { reusableWorkflows } from '../../scripts/reusable-workflows.ts'
import { bundledSbom } from '../../scripts/sbom.ts'
import { temporaryFolder } from '../running.ts'

/** A copy of a repository with this project's reusable workflows, and a commit for the release of 1.2.0. */
function prepare() {
  const root = temporaryFolder()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  const commit = (...options: string[]) => {
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Commit', ...options)
    return git('rev-parse', 'HEAD')
  }
  git('init', '--quiet')
  appendFileSync(
    join(root, '.git/config'),
    '[user]\nname=mona\nemail=mona@x.example\n[commit]\ngpgsign=false\n',
  )
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    cpSync(join(projectDir, path), join(root, path))
  }
  write('package.json', '{ "version": "1.2.0" }')
  write('CHANGELOG.md', '# Changelog\n\n## [1.2.0] - 2026-12-01\n\n- A fix.\n')
  write('action.yml', 'name: Docs')
  return { root, git, write, commit, code: commit() }
}

it('every reusable workflow names the first commit, and nothing else changes', () => {
  expect(paths).toEqual(reusableWorkflows.map(({ path }) => path))
  const { root, code, git } = prepare()
  expect(pinRelease(root)).toBe('1.2.0')
  expect(git('rev-parse', 'HEAD^')).toBe(code)
  const others = (text = '') => text.replace(/uses: OWNER\/.*/g, '')
  for (const path of paths) {
    const pinned = readFileSync(join(root, path), 'utf8')
    expect(pinned.match(/uses: OWNER\/.*/g)).toEqual([expect.stringMatching(`@${code} # v1\\.2\\.0$`)])
    expect(others(pinned)).toBe(others(readFileSync(join(projectDir, path), 'utf8')))
  }
  expect(checkRelease(root, 'v1.2.0')).toBe('- A fix.')
  expect(() => checkRelease(root, 'v1.3.0')).toThrow('the tag is v1.2.0')
})

type Spoil = (repository: ReturnType<typeof prepare>) => unknown

it.each<[string, Spoil, RegExp]>([
  ['changes are not committed', ({ write }) => write('action.yml', ''), /Commit your changes first/],
  [
    'the version has no date',
    ({ write, commit }) => {
      write('CHANGELOG.md', '## [1.2.0]\n\n- A fix.\n')
      commit()
    },
    /needs a section "## \[1\.2\.0\] - YYYY/,
  ],
])('a release is not made if %s', (_, spoil, fault) => {
  const repository = prepare()
  spoil(repository)
  const before = repository.git('rev-parse', 'HEAD')
  expect(() => pinRelease(repository.root)).toThrow(fault)
  expect(repository.git('rev-parse', 'HEAD')).toBe(before)
})

it.each<[string, Spoil, RegExp]>([
  [
    'its second commit also changes another file',
    ({ write, commit }) => {
      write('action.yml', 'name: Other')
      commit('--amend')
    },
    /also changes action\.yml/,
  ],
  ['another commit follows', ({ commit }) => commit('--allow-empty'), /docs-command\.yml names/],
  [
    'it was squashed',
    ({ git, commit }) => {
      git('reset', '--quiet', '--soft', 'HEAD~1')
      commit('--amend')
      commit('--allow-empty')
    },
    /docs-command\.yml names/,
  ],
])('a release is faulty if %s', (_, spoil, fault) => {
  const repository = prepare()
  pinRelease(repository.root)
  spoil(repository)
  expect(() => checkRelease(repository.root, 'v1.2.0')).toThrow(fault)
})

it('the SBOM lists every bundled package', () => {
  const licenses = readFileSync(join(projectDir, 'dist/licenses.txt'), 'utf8')
  const bundled = [...licenses.matchAll(/^(@?[\w./-]+ \d\S*) \(.+\)$/gm)].map(([, name]) => name)
  const listed = bundledSbom(projectDir).packages.map(({ name, versionInfo }) => `${name} ${versionInfo}`)
  expect(bundled.length).toBeGreaterThan(5)
  expect(listed).toEqual(expect.arrayContaining(bundled))
})

describe('release.yml', () => {
  interface Job {
    environment?: string
    permissions?: Record<string, string>
    steps: { id?: string; run?: string }[]
  }
  const text = readFileSync(join(projectDir, '.github/workflows/release.yml'), 'utf8')
  const { jobs } = parse(text) as { jobs: Record<string, Job> }

  it.each([
    ['identical', 0],
    ['ahead', 0],
    ['diverged', 1],
    ['behind', 1],
  ])('release.yml releases a tag only from main: compared with its commit, main is %s', (status, code) => {
    const bin = temporaryFolder()
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

  it('release.yml gives a token that signs or writes, and the key for the major tag, only to the environment', () => {
    const writing = Object.values(jobs).filter(
      (job) => JSON.stringify(job).includes('secrets.') || JSON.stringify(job.permissions).includes('write'),
    )
    expect(writing.map(({ environment }) => environment)).toEqual(['release'])
  })
})

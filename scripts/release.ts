/**
 * A release is two commits: the code with its dist/, and the reusable workflows that name the first commit. The tag is
 * on the second. `npm run release` makes the second commit; `node scripts/release.ts vX.Y.Z` checks both.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseNotes } from './release-notes.ts'
import { reusableWorkflows } from './reusable-workflows.ts'

const paths = reusableWorkflows.map(({ path }) => path)
/** Matches a step's `uses:` with one of this project's actions. The groups are everything before the `@`, and the version. */
const ownUses = /(uses: [\w-]+\/docs-agent-action(?:\/\w+)?)@(.*)$/gm

/** Pins the workflows to the newest commit, and commits this change. */
export function pinRelease(
  root: string,
): { ok: true; tag: string; commit: string } | { ok: false; fault: string } {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const notes = releaseNotes(`v${version}`, version, read('CHANGELOG.md'))
  if (!notes.ok) return notes
  if (git(root, 'status', '--porcelain') !== '')
    return {
      ok: false,
      fault: 'Commit your changes first. The workflows name a commit, so it must be complete.',
    }
  const code = git(root, 'rev-parse', 'HEAD')
  for (const path of paths)
    writeFileSync(join(root, path), read(path).replace(ownUses, `$1@${pin(code, version)}`))
  git(
    root,
    'commit',
    '--quiet',
    '--message',
    `Name the code of v${version} in the reusable workflows`,
    '--',
    ...paths,
  )
  return { ok: true, tag: `v${version}`, commit: git(root, 'rev-parse', 'HEAD') }
}

/** Why the newest commit cannot be the release `tag`; empty if it can. The commit's parent must be in the clone, too. */
export function releaseFaults(root: string, tag: string): string[] {
  const code = git(root, 'rev-parse', 'HEAD^')
  const expected = pin(code, tag.slice(1))
  const pins = paths.flatMap((path) =>
    [...git(root, 'show', `HEAD:${path}`).matchAll(ownUses)].map(([, , found]) => ({ path, found })),
  )
  const unpinned = paths.filter((path) => pins.every((each) => each.path !== path))
  const changed = git(root, 'diff', '--name-only', 'HEAD^', 'HEAD').split('\n')
  return [
    ...unpinned.map((path) => `${path} does not use this action.`),
    ...pins
      .filter(({ found }) => found !== expected)
      .map(({ path, found }) => `${path} names ${found}, not ${expected}.`),
    ...(git(root, 'rev-parse', 'HEAD^:dist') === git(root, 'rev-parse', 'HEAD:dist')
      ? []
      : ['dist/ differs between the two commits of the release.']),
    ...changed
      .filter((path) => !paths.includes(path))
      .map((path) => `The second commit also changes ${path}. Run \`npm run release\` again.`),
  ]
}

/** A pinned version, in the format that Dependabot and Renovate read. */
function pin(commit: string, version: string): string {
  return `${commit} # v${version}`
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const [tag] = process.argv.slice(2)
  const result =
    tag === undefined ? pinRelease(root) : { ok: false as const, fault: releaseFaults(root, tag).join('\n') }
  if (result.ok) {
    console.log(`The reusable workflows name the commit before ${result.commit}.`)
    console.log(`Merge both commits as they are (no squash, no rebase), then push the tag:`)
    console.log(`  git tag ${result.tag} ${result.commit} && git push origin ${result.tag}`)
  } else if (result.fault !== '') {
    console.error(result.fault)
    process.exitCode = 1
  }
}

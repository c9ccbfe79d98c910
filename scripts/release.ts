/**
 * A release is two commits: the code with its dist/, and the reusable workflows that name the first commit. The tag is
 * on the second. `npm run release` makes the second commit. `node scripts/release.ts vX.Y.Z` checks both, and prints the
 * release's notes.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The reusable workflows. Nothing is imported for this list, because a release is checked before packages are installed. */
export const paths = ['.github/workflows/docs-command.yml', '.github/workflows/docs-visitors.yml']
/** Matches a step's `uses:` with one of this project's actions. The groups are everything before the `@`, and the version. */
const ownUses = /(uses: [\w-]+\/docs-agent-action(?:\/\w+)?)@(.*)$/gm

/** A version's section of CHANGELOG.md. Throws if it is missing, or has no date or text. */
export function releaseNotes(version: string, changelog: string): string {
  const sections = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`[${version}] - `)) ?? ''
  const [, body = ''] = /^[^\n]* - \d{4}-\d{2}-\d{2}\n(.*)$/s.exec(section) ?? []
  // The file ends with links to versions, below the last section.
  const notes = body.replace(/^\[[^\]]+\]: .*\n?/gm, '').trim()
  if (notes === '') throw new Error(`CHANGELOG.md needs a section "## [${version}] - YYYY-MM-DD" with text.`)
  return notes
}

/** Pins the workflows to the newest commit, and commits this change. Returns the version. */
export function pinRelease(root: string): string {
  const { read, git, version } = repositoryAt(root)
  releaseNotes(version, read('CHANGELOG.md'))
  if (git('status', '--porcelain') !== '')
    throw new Error('Commit your changes first. The workflows name a commit, so it must be complete.')
  const pinned = pin(git('rev-parse', 'HEAD'), version)
  for (const path of paths) writeFileSync(join(root, path), read(path).replace(ownUses, `$1@${pinned}`))
  const message = `Name the code of v${version} in the reusable workflows`
  git('commit', '--quiet', '--message', message, '--', ...paths)
  return version
}

/** The notes of the release `tag`. Throws if the newest commit cannot be the release. Its parent must be in the clone, too. */
export function checkRelease(root: string, tag: string): string {
  const { read, git, version } = repositoryAt(root)
  if (tag !== `v${version}`)
    throw new Error(`package.json has the version ${version}, so the tag is v${version}.`)
  const pinned = pin(git('rev-parse', 'HEAD^'), version)
  for (const path of paths) {
    const versions = [...read(path).matchAll(ownUses)].map(([, , found]) => found)
    if (versions.length === 0 || versions.some((found) => found !== pinned))
      throw new Error(`${path} names ${versions.join() || 'nothing'}, not ${pinned}.`)
  }
  const changed = git('diff', '--name-only', 'HEAD^', 'HEAD').split('\n')
  const others = changed.filter((path) => !paths.includes(path))
  if (others.length > 0)
    throw new Error(`The second commit also changes ${others.join(', ')}. Run \`npm run release\` again.`)
  return releaseNotes(version, read('CHANGELOG.md'))
}

/** A pinned version, in the format that Dependabot and Renovate read. */
function pin(commit: string, version: string): string {
  return `${commit} # v${version}`
}

function repositoryAt(root: string) {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const { version } = JSON.parse(read('package.json')) as { version: string }
  return { read, git, version }
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..')
  const [tag] = process.argv.slice(2)
  try {
    if (tag !== undefined) console.log(checkRelease(root, tag))
    else {
      const version = pinRelease(root)
      console.log(`The reusable workflows name the commit before HEAD.
Merge both commits as they are (no squash, no rebase), then push the tag:
  git tag v${version} && git push origin v${version}`)
    }
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}

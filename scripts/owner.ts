/** `npm run owner -- <login>`: replaces the placeholder OWNER with the account that hosts this repository. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from '../sandbox/runner/action.ts'

/** GitHub's rule for logins: letters, digits and single hyphens, at most 39. */
const login = /^(?=.{1,39}$)[a-z\d]+(?:-[a-z\d]+)*$/i

/** Replaces the placeholder in a text, and removes the sentences that explain it. */
export function withOwner(text: string, owner: string): string {
  return text
    .replaceAll('OWNER/docs-agent-action', `${owner}/docs-agent-action`)
    .replaceAll('@OWNER', `@${owner}`)
    .replace(/^Replace `OWNER` .*\n\n/m, '')
    .replace(/ Replace `OWNER` [^.]*\.$/m, '')
    .replace(/ # OWNER: .*$/gm, '')
}

/** The login in the arguments; undefined if it is invalid, or if there are other arguments. */
export function readOwner(args: readonly string[]): string | undefined {
  const [owner = '', ...rest] = args
  return rest.length === 0 && login.test(owner) ? owner : undefined
}

/** The files with the placeholder, relative to the project. */
export function filesWithOwner(): string[] {
  const inFolder = (folder: string) =>
    readdirSync(join(projectDir, folder))
      .filter((name) => /(?:\.md|\.yml|^CODEOWNERS)$/.test(name))
      .map((name) => join(folder, name))
  const folders = ['docs', 'examples', '.github', '.github/workflows']
  return ['README.md', 'SECURITY.md', ...folders.flatMap(inFolder)].filter((file) =>
    /OWNER\/|@OWNER|`OWNER`/.test(readFileSync(join(projectDir, file), 'utf8')),
  )
}

if (import.meta.main) {
  const owner = readOwner(process.argv.slice(2))
  if (owner === undefined) {
    console.error('Name one GitHub account: npm run owner -- <login>')
    process.exitCode = 2
  } else
    for (const file of filesWithOwner()) {
      const path = join(projectDir, file)
      writeFileSync(path, withOwner(readFileSync(path, 'utf8'), owner))
      console.log(file)
    }
}

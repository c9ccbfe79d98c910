/** Keeps paths inside the allowed folders, regardless of `..` and links. */
import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'

/** The real path, after all links, if it is still in the same allowed folder; otherwise undefined. */
export async function resolveContained(
  path: string,
  folders: readonly string[],
): Promise<string | undefined> {
  // A link in the workspace must not lead to the runner's temporary folder, where other steps leave tokens.
  const holding = folders.filter((folder) => contains(folder, path))
  // A path whose text leads out of the folders is not looked up, so that no error reveals whether it exists.
  if (holding.length === 0) return undefined
  const real = await realpath(path)
  const roots = await Promise.all(holding.map((folder) => realpath(folder)))
  // Files in .git are not read: actions/checkout leaves a token in .git/config.
  if (isInGit(real)) return undefined
  return roots.some((folder) => contains(folder, real)) ? real : undefined
}

/** Whether a path is in a .git folder. */
export function isInGit(path: string): boolean {
  return path.split(sep).some((part) => part.toLowerCase() === '.git')
}

/** Whether a path is below a folder. Only their texts are compared: links are not resolved. */
export function contains(folder: string, path: string): boolean {
  const inside = relative(folder, path)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

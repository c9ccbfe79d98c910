/** Which folders a path may lead into, whatever it says and whatever links lie on its way. */
import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'

/** The real path, if it lies in one of the folders once every link is followed. */
export async function resolveContained(
  path: string,
  folders: readonly string[],
): Promise<string | undefined> {
  const lexical = folders.some((folder) => contains(folder, path))
  // A path that leads out by its text alone is not even looked at: whether it exists is nobody's business.
  if (!lexical) return undefined
  const real = await realpath(path)
  const roots = await Promise.all(folders.map((folder) => realpath(folder)))
  // Whatever name it goes by, .git is never read: actions/checkout leaves a token in its config.
  if (isInGit(real)) return undefined
  return roots.some((folder) => contains(folder, real)) ? real : undefined
}

export function isInGit(path: string): boolean {
  return path.split(sep).some((part) => part.toLowerCase() === '.git')
}

function contains(folder: string, path: string): boolean {
  const inside = relative(folder, path)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

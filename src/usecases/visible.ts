/** Text from outside, as people see it on GitHub. */
import { releaseContext } from '../core/prompt/context.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import type { VisibleText } from '../core/prompt/visible.ts'
import type { Release } from '../core/trigger/request.ts'
import { byteLength } from '../core/units.ts'
import { type Ended, unread } from './ended.ts'
import type { Repositories } from './ports.ts'

/** Maximum size of the Markdown that GitHub renders, in bytes (GitHub's REST API docs, "Markdown"). */
const renderLimit = 400_000

/** The text that people see if GitHub shows Markdown in a repository. Nothing is sent if GitHub does not render it. */
export async function readVisible(
  markdown: string,
  repository: string,
  github: Pick<Repositories, 'render'>,
): Promise<VisibleText | Ended> {
  if (markdown.trim() === '') return { text: '', leftOut: [] }
  if (byteLength(markdown) > renderLimit)
    return { text: '', leftOut: [{ why: 'over the 400 KB that GitHub renders' }] }
  const rendered = await github.render(repository, markdown)
  if (!rendered.ok) return unread('text', rendered.rejection)
  // The HTML parser is large, and most steps have no such text.
  const { visibleText } = await import('../core/prompt/visible.ts')
  return visibleText(rendered.value)
}

/** A release as context for the prompt. */
export async function readRelease(
  release: Release,
  repository: string,
  github: Pick<Repositories, 'render'>,
): Promise<ChangeContext | Ended> {
  const notes = await readVisible(release.notes, repository, github)
  return 'kind' in notes ? notes : releaseContext(release, notes)
}

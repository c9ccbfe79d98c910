/** Puts a visitors report where it is to be read: into files, and into one comment of an issue. */
import type { Sign } from '../core/marker.ts'
import type { FileFault, Progress } from '../core/progress.ts'
import type { Thread } from '../core/trigger.ts'
import type { GitHub, ReportFolder } from './ports.ts'

/** A file of the report, in pieces. */
export interface ReportFile<Name extends string> {
  output: Name
  name: string
  chunks: Iterable<string>
}

export type Written<Name extends string> =
  | { ok: true; paths: Partial<Record<Name, string>> }
  | { ok: false; paths: Partial<Record<Name, string>>; fault: FileFault }

/** Writes the files one after another; what was written before a fault stays. */
export async function writeFiles<Name extends string>(
  files: readonly ReportFile<Name>[],
  folder: ReportFolder,
): Promise<Written<Name>> {
  const paths: Partial<Record<Name, string>> = {}
  for (const { output, name, chunks } of files) {
    const written = await folder.write(name, chunks)
    if (!written.ok) return { ok: false, paths, fault: written.fault }
    paths[output] = written.value
  }
  return { ok: true, paths }
}

export interface CommentPorts {
  github: GitHub
  sign: Sign
  onProgress(progress: Progress): void
}

/** Keeps the report as one comment on an issue: the one of last time is edited. A refusal costs a warning. */
export async function keepComment(
  thread: Thread,
  projectId: string,
  text: string,
  { github, sign, onProgress }: CommentPorts,
): Promise<void> {
  const marker = `<!-- docs-agent-report:1:${sign(`${thread.repository.toLowerCase()}#${thread.number} ${projectId}`)} -->`
  const failed = (
    act: 'read' | 'reply' | 'edit',
    refusal: Extract<Progress, { type: 'thread-failed' }>['refusal'],
  ) => onProgress({ type: 'thread-failed', act, isPullRequest: thread.isPullRequest, refusal })
  const comments = await github.comments(thread)
  // Whether there is one already is not known then, and a second one each week is not what was asked for.
  if (!comments.ok) return failed('read', comments.refusal)
  const body = `${text}\n${marker}\n`
  // The oldest is the action's own: a copy of the marker can only come after it.
  const known = comments.value.find((comment) => comment.body.includes(marker))
  if (known !== undefined) {
    const edited = await github.edit(thread, known.id, body)
    return edited.ok ? undefined : failed('edit', edited.refusal)
  }
  const replied = await github.reply(thread, body)
  if (!replied.ok) failed('reply', replied.refusal)
}

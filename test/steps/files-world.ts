/** A workspace with files, and the prompt that a step sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Platform } from '../../sandbox/platform/server.ts'
import { temporaryFolder } from '../running.ts'

/** Inputs for a step that sends the prompt, and does not wait for the job. */
export const detached = { wait: 'false' }

export function workspaceWith(files: Record<string, string | Buffer>): string {
  const workspace = temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), content)
  }
  return workspace
}

export const bodyOf = ({ platform }: { platform: Platform }) => platform.jobs.get('job_0001')?.prompt ?? ''

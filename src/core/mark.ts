/** Names, signatures and marks: how the action recognizes its own work. */
import { parseJson } from './text.ts'

/** Signs a string with a key that only the action's user has. Equal strings get equal signatures. */
export type Sign = (text: string) => string

/** Identifies a step of a workflow. */
export interface StepName {
  workflow: string
  job: string
  step: string
  /** `strategy.job-index`; empty outside a matrix. */
  matrixIndex: string
  project: string
}

/** A short name for a step, so that workflows, steps and matrix legs on one event never take each other's job. */
export function stepName({ workflow, job, step, matrixIndex, project }: StepName) {
  return fingerprint(JSON.stringify([workflow, job, step, matrixIndex, project]))
}

/** FNV-1a, 32 bits, in hex. It distinguishes names, but keeps nothing secret and proves nothing. */
export function fingerprint(text: string) {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** `docs-agent-report` is the mark of a visitors report; see visitors/issue.ts. */
type MarkKind = 'docs-agent' | 'docs-agent-report'

/** A mark: a value, hidden at the very end of a comment. It is signed for a place: a copy elsewhere has no effect. */
export function writeMark(kind: MarkKind, value: unknown, place: string, sign: Sign) {
  const text = Buffer.from(JSON.stringify(value)).toString('base64')
  return `<!-- ${kind}:${text}:${sign(`${place}\n${text}`)} -->`
}

/** The mark at the end of a comment, and the words before it; null if there is none. */
export function readMark(kind: MarkKind, body: string, place: string, sign: Sign) {
  // A GitHub comment can have 65,536 characters, so the search needs limits.
  const shape = new RegExp(`<!-- ${kind}:([A-Za-z0-9+/=]{1,20000}):([A-Za-z0-9_-]{1,100}) -->\\s*$`)
  const match = shape.exec(body)
  if (match === null) return null
  const [, text = '', signature] = match
  return {
    value: parseJson(Buffer.from(text, 'base64').toString()),
    isSigned: signature === sign(`${place}\n${text}`),
    words: body.slice(0, match.index).trimEnd(),
  }
}

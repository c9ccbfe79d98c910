/**
 * Names, signatures and marks: how the action recognizes its own work. A mark is hidden at the very end of a comment: its
 * content in Base64, and a signature. Text before the mark is ignored.
 */

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
export function stepName({ workflow, job, step, matrixIndex, project }: StepName): string {
  return fingerprint(JSON.stringify([workflow, job, step, matrixIndex, project]))
}

/** FNV-1a, 32 bits, in hex. It distinguishes names, but keeps nothing secret and proves nothing. */
export function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** `docs-agent-report` is the mark of a visitors report; see visitors/usecases/issue.ts. */
type MarkKind = 'docs-agent' | 'docs-agent-report'

/** Maximum length of a mark's Base64 text, in characters. A GitHub comment holds 65,536. */
const maxMarkLength = 20_000

function shapeOf(kind: MarkKind): RegExp {
  return new RegExp(`<!-- ${kind}:2:([A-Za-z0-9+/=]{1,${maxMarkLength}}):([A-Za-z0-9_-]{1,100}) -->\\s*$`)
}

/** A mark, as it is appended to a comment. */
export function markTail(kind: MarkKind, text: string, signature: string): string {
  return `<!-- ${kind}:2:${text}:${signature} -->`
}

/** The mark at the end of a comment; null if there is none. */
export function readTail(kind: MarkKind, body: string): { text: string; signature: string } | null {
  const [, text = '', signature] = shapeOf(kind).exec(body) ?? []
  return signature === undefined ? null : { text, signature }
}

/** The text of a comment before its mark, without trailing white space. */
export function withoutTail(kind: MarkKind, body: string): string {
  return body.replace(shapeOf(kind), '').trimEnd()
}

/** A value as Base64 of its JSON. */
export function encode(value: unknown): string {
  // btoa only accepts Latin-1; names in a payload may contain other characters.
  return btoa(JSON.stringify(value).replace(/[^\0-\x7F]/g, escaped))
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Reverses `encode`; undefined for any other text. */
export function decode(text: string): unknown {
  try {
    return JSON.parse(atob(text))
  } catch {
    return undefined
  }
}

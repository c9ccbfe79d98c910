/** Names and signatures: how the action recognizes its own work. */

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

/** A short name for a project. */
export function projectName(project: string): string {
  return fingerprint(project)
}

/** FNV-1a, 32 bits, in hex. It distinguishes names, but keeps nothing secret and proves nothing. */
export function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

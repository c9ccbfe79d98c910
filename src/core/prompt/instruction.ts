/** The prompt that a comment makes: what somebody wrote, cleaned, and where it came from. */
import { cut, fenced, oneLine, stripHidden } from '../text.ts'
import type { Asked, ReviewLocation } from '../trigger/request.ts'

/** Longest instruction that is taken, in characters; a comment of GitHub's holds 65,536. */
const instructionLimit = 20_000
const hunkLimit = 4_000

/** What is left of a comment once all that a reader does not see is gone. Empty where nothing is. */
export function cleanInstruction(text: string): string {
  return cut(stripHidden(text.replace(/<!--[\s\S]*?(-->|$)/g, '')).trim(), instructionLimit)
}

/** The prompt for a comment: the standing instructions, the person's, and where that came from. */
export function promptFor(standing: string, { request, requesters, thread }: Asked): string {
  const { url, location, instruction } = request
  const kind = thread.isPullRequest ? 'pull request' : 'issue'
  const origin = `This was asked by ${requesters[0].login} in a comment on ${kind} #${thread.number} of ${thread.repository}: ${url}`
  const lines = location === null ? [] : [whereInChange(location)]
  return [standing, cleanInstruction(instruction), '---', origin, ...lines]
    .filter((part) => part !== '')
    .join('\n\n')
}

function whereInChange({ path, line, hunk }: ReviewLocation): string {
  const at = line === null ? '' : `, line ${line}`
  const shown = cut(stripHidden(hunk), hunkLimit)
  return `The comment stands in a review, at ${oneLine(path, 1000)}${at}:\n\n${fenced(shown, 'diff')}`
}

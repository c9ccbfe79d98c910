/** The words of reasons to skip an event. */
import type { SkipReason } from '../core/problems.ts'
import { oneLine } from '../core/text.ts'

/** What a fork cannot start. */
const ofForks = {
  'pull-request': "a fork's pull request starts nothing",
  review: "reviews on a fork's pull request start nothing",
  label: "labels on a fork's pull request start nothing",
  'upstream-run': "the upstream run was for a fork's code",
}

/** A reason, as the end of a sentence. Text from outside in it can have backticks. */
export function skipText(reason: SkipReason): string {
  switch (reason.kind) {
    case 'other-event':
      return `the event ${reason.event || 'without a name'} starts nothing`
    case 'other-comment':
      return `commands are not read from ${reason.event}`
    case 'other-action':
      return `the ${reason.subject} was ${oneLine(reason.action, 60)}, not ${reason.expected}`
    case 'other-text':
      return `the ${reason.subject} does not start with ${reason.command}`
    case 'other-label':
      return `the label “${oneLine(reason.added, 60)}” was added, not “${reason.label}”`
    case 'unlabeled':
      return 'the step acts only when its label is added'
    case 'account-gone':
      return goneText(reason.subject)
    case 'fork':
      return ofForks[reason.subject]
    case 'unmerged':
      return 'it was closed without being merged'
    case 'branch-deleted':
      return `${reason.branch} was deleted`
    case 'merge-queue':
      return 'the merge queue is only testing the change'
    case 'tag':
      return 'a tag does not change files'
    case 'upstream-event':
      return `the upstream run was started by ${oneLine(reason.event, 60)}`
    case 'upstream-failed':
      return 'the upstream run did not succeed'
    case 'other-branch':
      return `${oneLine(reason.branch, 100)} is not the default branch`
    case 'no-files':
      return 'the change has no files'
    case 'no-match':
      return `context-paths (${someOf(reason.globs)}) matches none of the changed files: ${someOf(reason.paths)}`
    case 'nothing-to-show':
      return 'all changed files are generated, binary or empty'
    case 'documented':
      return documentedText(reason.pulls)
    case 'nothing-new':
      return `nothing is new on ${reason.branch} since ${reason.since.slice(0, 10)}`
    case 'all-documented':
      return `everything new on ${reason.branch} since ${reason.since.slice(0, 10)} is documented`
  }
}

function goneText(subject: 'comment' | 'review' | 'label'): string {
  if (subject === 'label') return 'the account that added the label is gone'
  return `the ${subject}'s author is gone`
}

function documentedText(pulls: readonly string[]): string {
  if (pulls.length === 0) return 'an earlier job already covers it'
  return `already in ${pulls.join(', ')}`
}

/** Maximum number of globs and of files in a message. */
const namedLimit = 5

function someOf(names: readonly string[]): string {
  const shown = names.slice(0, namedLimit).map((name) => oneLine(name, 80))
  const more = names.length - shown.length
  if (more > 0) shown.push(`and ${more} more`)
  return shown.join(', ')
}

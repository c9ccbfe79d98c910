/** The words of reasons to skip an event. */
import type { SkipReason } from '../core/problems.ts'
import { firstOf, oneLine } from '../core/text.ts'

/** Whose account is gone. */
const accounts = {
  comment: "the comment's author is gone",
  review: "the review's author is gone",
  label: 'the account that added the label is gone',
}

/** What a fork cannot start. */
const forks = {
  'pull-request': "a fork's pull request starts nothing",
  review: "reviews on a fork's pull request start nothing",
  label: "labels on a fork's pull request start nothing",
  'upstream-run': "the upstream run was for a fork's code",
}

/** The reasons that need no value. */
const plain = {
  unlabeled: 'the step acts only when its label is added',
  unmerged: 'it was closed without being merged',
  'merge-queue': 'the merge queue is only testing the change',
  tag: 'a tag does not change files',
  'upstream-failed': 'the upstream run did not succeed',
  'no-files': 'the change has no files',
  'nothing-to-show': 'all changed files are generated, binary or empty',
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
    case 'account-gone':
      return accounts[reason.subject]
    case 'fork':
      return forks[reason.subject]
    case 'branch-deleted':
      return `${reason.branch} was deleted`
    case 'upstream-event':
      return `the upstream run was started by ${oneLine(reason.event, 60)}`
    case 'stacked':
      return `it was merged into ${oneLine(reason.into, 100)}, not yet into ${reason.branch}`
    case 'other-branch':
      return `${oneLine(reason.branch, 100)} is not the default branch`
    case 'no-match':
      return `context-paths (${listNames(reason.globs)}) matches none of the changed files: ${listNames(reason.paths)}`
    case 'documented':
      if (reason.pulls.length === 0) return 'an earlier job already covers it'
      return `already in ${reason.pulls.join(', ')}`
    case 'nothing-new':
      return `nothing is new on ${reason.branch} since ${reason.since.slice(0, 10)}`
    case 'all-documented':
      return `everything new on ${reason.branch} since ${reason.since.slice(0, 10)} is documented`
    default:
      return plain[reason.kind]
  }
}

/** Globs or paths on one line. */
function listNames(names: readonly string[]) {
  const shortNames = names.map((name) => oneLine(name, 80))
  return firstOf(shortNames, 5).join(', ')
}

/** The words of problems: what happened, with the value, and what to do; and why an event is skipped. */

import { isTemporary } from '../core/http.ts'
import type { Accounts, GaveUp, Problem, SkipReason } from '../core/problems.ts'
import { contextFileLimit, promptFileLimit } from '../core/prompt/prompt.ts'
import { firstOf, oneLine, quote, sentence } from '../core/text.ts'
import { counted, countText, formatSize } from '../core/units.ts'
import { apiKeysUrl, isUnconfirmed } from '../mintlify/client.ts'
import { type Explanation, explainCall, lookAt, newKey, startOver } from './calls.ts'
import { explainNeed } from './rejections.ts'

/** Explains a problem: what happened, what to do, and what else to show. Without a problem, everything is empty. */
export function explain(problem: Problem | null) {
  const [what, next, list = [], lines = '']: Explanation =
    problem === null ? ['', ''] : explanationOf(problem.kind, problem)
  return { what, next, list, lines }
}

function explanationOf<Kind extends Problem['kind']>(kind: Kind, problem: Problem & { kind: Kind }) {
  return explanations[kind](problem)
}

/**
 * The place of a step's end in TROUBLESHOOTING.md: the outcome or, if that does not say enough, the first words of the
 * problem's message, without values.
 */
export function placeOf(outcome: string, problem: Problem | null) {
  if (!['error', 'unconfirmed', 'out-of-bounds'].includes(outcome)) return outcome
  const text = explain(problem).what.replace(/`([\w-]+)`:|`[^`]*`|\(.*/gs, ' $1 ')
  const [words = ''] = text.split(/(?<=\w)[:,] |\.$/)
  return words
    .trim()
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
}

/** Whether waiting may help. */
export function mayPass(problem: Problem) {
  if (problem.kind === 'github-failed') return isTemporary(problem.failure)
  if (problem.kind === 'call-failed') return !isUnconfirmed(problem) && isTemporary(problem.why)
  return problem.kind === 'too-late'
}

const explanations: { [Kind in Problem['kind']]: (problem: Problem & { kind: Kind }) => Explanation } = {
  inputs({ faults }) {
    const remedies = faults.map(({ input }) => inputRemedies[input] ?? 'Correct the workflow file.')
    const next = [...new Set(remedies)].join(' ')
    const list = faults.map(
      ({ input, got, expected }) => `\`${input}\` got ${quote(got)}, expected ${expected}.`,
    )
    const [first] = faults
    // Another kind of key, which is not outside text.
    if (list.length === 1 && first?.got.startsWith('an ')) return [`\`api-key\` is ${first.got}.`, next]
    if (list.length === 1) return [`The workflow is misconfigured: ${list[0]}`, next]
    return [`The workflow is misconfigured: ${counted(list.length, 'input')} are invalid.`, next, list]
  },
  file({ reason, input, path }) {
    const what = sentence`\`${input}\`: \`${path}\` ${fileFaults[reason]}.`
    if (reason === 'missing')
      return [what, 'Check the path, and that an `actions/checkout` step comes before this one.']
    return [what, fileRemedies[input] ?? `Use a text file ${inFolders}`]
  },
  // The stack is for the people who fix the bug.
  defect: ({ stack }) => ['Unexpected error.', 'This is a bug in the action. Please report it.', [], stack],
  'thin-payload': ({ event, field }) => [
    sentence`The event \`${event}\` has no \`${field}\`.`,
    'If a tool such as `act` made the event, add the field to its payload.',
  ],
  'secrets-withheld': ({ why }) => [
    `Skipped: ${withheldTexts[why]}.`,
    'For Dependabot, add the key to the Dependabot secrets as well.',
  ],
  'secret-in-prompt': ({ secret }) => secrets[secret],
  'unsaved-state': () => [
    "Could not save the step's state on the runner.",
    'Free disk space on the runner, then re-run the workflow.',
  ],
  'too-late': () => ['`timeout` expired before anything could be sent.', `Raise \`timeout\`. ${startOver}`],
  skipped: ({ reason }) => [`Skipped: ${quote(skipText(reason), 1200)}.`, ''],
  'own-change': ({ login }) => [
    sentence`Skipped: this change comes from \`${login}\`, the account in \`agent-login\`.`,
    "If that is not the agent's account, change `agent-login`.",
  ],
  'untrusted-event': ({ event }) => [
    `The step does not run on \`${event}\`, which gives secrets to runs for forks.`,
    'Use `pull_request` or `push`.',
  ],
  'no-command': ({ event }) => [
    `The step runs on \`${event}\` without a \`command\`: any commenter could start the agent.`,
    'Set `command` to a word such as `/docs`.',
  ],
  'no-prompt'({ command }) {
    const name = command === null ? 'the command' : sentence`\`${command}\``
    return [`The comment has no prompt after ${name}.`, `After ${name}, write what to change in the docs.`]
  },
  denied({ login, role, isBot, isListed }) {
    const what = sentence`\`${login}\` cannot ask the agent:`
    if (isBot)
      return [
        `${what} \`allowed\` does not list this bot.`,
        sentence`To allow it, add \`${login}\` to \`allowed\`.`,
      ]
    const next = `${othersCanAsk} To allow more people, change the role in \`allowed\`.`
    return [
      `${what} this requires the \`${role}\` role or higher on this repository.`,
      isListed ? `${next} Only bots can be listed.` : next,
    ]
  },
  'github-failed': explainNeed,
  'start-unknown': () => [
    'The step does not record its jobs, so it cannot find the commit of its last job.',
    `Set \`github-token\`, and give the workflow \`statuses: write\`. ${startOver}`,
  ],
  'open-limit'({ limit, links }) {
    const are = links.length === 1 ? 'is' : 'are'
    return [
      `\`open-limit: ${limit}\` is reached: ${links.length} of the agent's pull requests ${are} open, and no job can take a follow-up.`,
      'Merge or close one, or raise `open-limit`.',
      links,
    ]
  },
  'allowed-paths'({ reason, paths }) {
    if (reason !== 'outside') return uncheckedTexts[reason]
    const names = paths.map((path) => sentence`\`${path}\``)
    return [
      `The agent's pull request changes files outside \`allowed-paths\` (${counted(paths.length, 'file')}).`,
      'Review these files before you merge. If the agent may change them, add them to `allowed-paths`.',
      firstOf(names, 10),
    ]
  },
  'gave-up'({ why, project, accounts }) {
    const what = accounts === null ? gaveUpTexts[why] : `${recordedBy(gaveUpTexts[why], accounts)}.`
    return [what, gaveUpRemedies[why] ?? lookAt(project)]
  },
  reported: () => [
    'An earlier run of this request reported this result.',
    'To ask for more, start a new run or comment again.',
  ],
  'call-failed': explainCall,
}

export const othersCanAsk = 'Someone with that role can ask instead.'

/** Where to correct an invalid input that is probably not in the workflow file. */
const inputRemedies: Record<string, string> = {
  'api-key': newKey,
  'project-id': 'Store the project ID in the variable that `project-id` reads.',
}

const fileFaults = {
  missing: 'does not exist',
  'not-a-file': 'is not a file',
  outside: 'is outside the workspace',
  'not-text': 'is not UTF-8 text',
  empty: 'is empty',
  'too-large': `is larger than ${formatSize(promptFileLimit)}`,
  'too-many': `matches more than ${countText(contextFileLimit)} files`,
  unreadable: 'cannot be read',
  unwritable: 'cannot be written',
}

const inFolders = "inside the workspace or the runner's temporary folder."
const fileRemedies: Record<string, string> = {
  'context-files': 'Exclude files with a line such as `!node_modules/**`, or change the globs.',
  'report-dir': `Use a folder ${inFolders}`,
}

const withheldTexts = {
  fork: "GitHub withholds secrets from runs for a fork's pull request",
  dependabot: "GitHub gives Dependabot's runs only the Dependabot secrets",
}

const removeIt = 'Remove it from the prompt, the diff or the context files.'
const secrets = {
  'api-key': [
    'The prompt contains the API key.',
    `${removeIt} Delete the key and create a new one on ${apiKeysUrl}.`,
  ],
  'github-token': [
    'The prompt contains the GitHub token.',
    `${removeIt} Revoke the token, unless it is \`GITHUB_TOKEN\` or a GitHub App's: those expire soon.`,
  ],
} as const

/** Why `allowed-paths` was not checked, and what to do. */
const uncheckedTexts = {
  unreadable: [
    "The pull request's files could not be read, so `allowed-paths` was not checked.",
    'Review the files before you merge. The log says why, unless `github-token` is empty.',
  ],
  unchecked: [
    'Not checked: for 24 hours, no settle step had the same `allowed-paths`.',
    'Review the files before you merge. Set the same `allowed-paths` in the settle step.',
  ],
  cut: [
    "GitHub does not list all of the pull request's files, so `allowed-paths` was not checked.",
    'Review the files before you merge.',
  ],
} as const

/** Whose record something is, without a period. @param what its first words */
export function recordedBy(what: string, { recorder, own }: Accounts) {
  return sentence`${what} was recorded by \`${recorder}\`, and this token belongs to \`${own}\``
}

const gaveUpRemedies: Partial<Record<GaveUp, string>> = {
  'unstarted-run': 'Re-run the workflow, or comment again.',
  'other-last-job': "Use that account's token.",
}

const gaveUpTexts = {
  'unfinished-run': 'An earlier run was killed before it could record a job, and may have created one.',
  'key-changed':
    "The API key changed after this request's first run, so that run's record cannot be verified.",
  'newer-version':
    'A newer version of the action recorded this request, and this version cannot read that record.',
  'unstarted-run': 'The run ended before it sent anything.',
  'no-result': 'The job was still active after 14 days.',
  'other-account': 'This request',
  'other-last-job': "The step's last job",
}

/** An event is skipped if one of these accounts is gone. */
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

/** The reasons to skip an event that need no value. */
const plain = {
  unlabeled: 'the step acts only when its label is added',
  unmerged: 'it was closed without being merged',
  'merge-queue': 'the merge queue is only testing the change',
  tag: 'a tag does not change files',
  'upstream-failed': 'the upstream run did not succeed',
  'nothing-to-show': 'the change has only generated, binary or empty files',
}

/** A reason to skip an event, as the end of a sentence. Text from outside in it can have backticks. */
export function skipText(reason: SkipReason) {
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

/** Explains everything that can go wrong: what happened, the most likely reason, and what to do next. */

import type { InputFault } from '../core/inputs/inputs.ts'
import type { Problem } from '../core/problem.ts'
import type { OutOfBounds } from '../core/review.ts'
import { counted } from '../core/units.ts'
import {
  apiKeysUrl,
  dashboardUrl,
  type Explained,
  type Explanation,
  inCode,
  type JobRef,
  quoted,
} from './problem/explanation.ts'
import { explainFile } from './problem/file.ts'
import { explainClosedGate, explainUnread, explainUnwrittenRecord } from './problem/github.ts'
import { explainPlatform, operations } from './problem/platform.ts'

export type { Explanation, JobRef, ListItem } from './problem/explanation.ts'

/** Explains a problem. */
export function explain(problem: Problem, jobRef: JobRef): Explanation {
  return { id: problem.type, fix: 'maintainer', ...explained(problem, jobRef) }
}

function explained(problem: Problem, jobRef: JobRef): Explained {
  switch (problem.type) {
    case 'inputs':
      return explainInputs(problem)
    case 'file':
      return explainFile(problem.fault)
    case 'platform':
      return explainPlatform(problem, jobRef)
    case 'gate-closed':
      return explainClosedGate(problem)
    case 'unread':
      return explainUnread(problem)
    case 'record-unwritten':
      return explainUnwrittenRecord(problem)
    case 'out-of-bounds':
      return { ...explainOutOfBounds(problem.files), fix: 'commenter' }
    case 'secrets-withheld':
      return {
        headline: 'No api-key in this run',
        what: `The step has no \`api-key\`: ${quoted(problem.why)}.`,
        why: 'Unreviewed code must not have access to secrets.',
        next: 'For Dependabot, add the key to the Dependabot secrets as well.',
      }
    case 'not-for-us':
      return {
        headline: 'Not for this step',
        what: `Skipped: ${quoted(problem.reason)}.`,
        why: 'This event is not for this step.',
        next: '',
        fix: 'commenter',
      }
    case 'event-rejected':
      return explainRejectedEvent(problem)
    case 'no-prompt':
      return explainNoInstruction(problem)
    case 'not-allowed':
      return explainNotAllowed(problem)
    case 'no-change':
      return {
        headline: 'No job created',
        what: `Skipped: ${quoted(problem.reason, 1200)}.`,
        why: 'No job was created.',
        next: '',
      }
    case 'start-unknown':
      return {
        headline: 'Could not determine what is new',
        what: 'The step does not record its jobs, so it cannot find the commit of its last job.',
        why: '`context-diff: since-last` relies on the commit statuses of earlier runs.',
        next: 'Set `github-token`, and give the workflow job `statuses: write`. No job was created.',
      }
    case 'own-change':
      return {
        headline: "The agent's own change",
        what: `Skipped: this change comes from ${inCode(problem.login, 60)}.`,
        why: "Pushes and merges of the agent's own work never start another job.",
        next: "If that is not the agent's account, change `agent-login`.",
      }
    case 'open-limit': {
      const number = problem.links.length
      return {
        headline: 'Too many open pull requests',
        what: `${number} of the agent's pull requests ${number === 1 ? 'is' : 'are'} open, and \`open-limit\` is ${problem.limit}.`,
        why: 'The action found no job that can take a follow-up.',
        next: 'Merge or close one, or raise `open-limit`. No job was created.',
        list: problem.links.map((url) => ({ url })),
      }
    }
    case 'unsent-message': {
      const explanation = explainPlatform(problem.cause, jobRef)
      // The remedies for these rejections apply as they are; the others explain how to wait for the job.
      const isKept = /^rejected-40(?:0-job|1|3|4-job)$/.test(explanation.id ?? '')
      const next = isKept ? explanation.next : 'Re-run the workflow once this is fixed.'
      return { ...explanation, next: `${next} The job got no follow-up.` }
    }
    case 'unsaved-state':
      return {
        headline: "Could not save the step's state",
        what: "Could not save the step's state on the runner.",
        why: 'Its disk is probably full. Without this state, the post step could not report what a killed step had sent.',
        next: `Free disk space on the runner, then re-run the workflow. ${operations[problem.operation].nothingDone}`,
      }
    case 'too-late':
      return {
        headline: 'Timed out before anything was sent',
        what: '`timeout` expired before anything could be sent.',
        why: 'GitHub or Mintlify was slow, or could not be reached for a while.',
        next: `Raise \`timeout\`, then re-run the workflow. ${jobRef.jobId === null ? 'No job was created.' : 'The job got no follow-up.'}`,
        fix: 'later',
      }
    case 'secret-in-prompt': {
      const isKey = problem.secret === 'api-key'
      const name = isKey ? 'API key' : 'GitHub token'
      return {
        headline: `The prompt contains the ${name}`,
        what: `The prompt contains the ${name}.`,
        why: 'The secret is in the prompt itself, in the diff, or in one of the context files.',
        next: isKey
          ? `Remove it there. Delete the key and create a new one on ${apiKeysUrl}. Nothing was sent.`
          : "Remove it there. Revoke the token, unless it is `GITHUB_TOKEN` or a GitHub App's token: those expire soon. Nothing was sent.",
      }
    }
    case 'unfinished-run':
      return {
        headline: 'An earlier run did not finish',
        what: 'An earlier run was killed before it could record a job. It may have created one.',
        why: 'A re-run could create the same job twice, so nothing was sent.',
        next: `Look at project ${inCode(jobRef.projectId)} on ${dashboardUrl} and at its repository's open pull requests. If nothing is there, start a new run or comment again: a re-run is not enough.`,
        fix: 'commenter',
      }
    case 'unstarted-run':
      return {
        headline: 'The run ended early',
        what: 'The run of this request ended before it sent anything.',
        why: 'It was killed, or its runner was lost.',
        next: 'Start a new run or comment again.',
        fix: 'commenter',
      }
    case 'no-result':
      return {
        headline: 'No result after 14 days',
        what: 'The job was still active after 14 days.',
        why: 'It may have been lost on Mintlify.',
        next: `Look at project ${inCode(jobRef.projectId)} on ${dashboardUrl}. If nothing is there, start a new run or comment again.`,
        fix: 'commenter',
      }
    case 'key-changed':
      return {
        headline: 'The API key has changed',
        what: "The API key changed after this request's first run, so that run's record cannot be verified.",
        why: 'The first run may have created a job, so nothing was sent.',
        next: "Look for the agent's pull request. If there is none, start a new run or comment again: a re-run is not enough.",
        fix: 'commenter',
      }
    case 'reported':
      return {
        headline: 'Already reported',
        what: 'An earlier run of this request reported this result.',
        why: 'Nothing was sent, and nothing was changed on GitHub.',
        next: 'To ask for more, start a new run or comment again.',
        fix: 'commenter',
      }
    case 'defect':
      return {
        headline: 'Unexpected error',
        what: 'Unexpected error.',
        why: 'This is a bug in the action.',
        next: 'Please report it with the lines below.',
        lines: problem.text,
      }
  }
}

function explainInputs({ faults }: Extract<Problem, { type: 'inputs' }>): Explained {
  const said = faults.map(
    ({ input, got, expected }) => `\`${input}\`: got ${quoted(got)}, expected ${expected}.`,
  )
  const next = remedyFor(faults)
  const why = 'Nothing was sent.'
  if (said.length === 1) return { headline: `Invalid ${faults[0]?.input}`, what: said[0] ?? '', why, next }
  const headline = `${counted(said.length, 'invalid input')}`
  return { headline, what: 'These inputs are invalid.', why, next, list: said.map((text) => ({ text })) }
}

/** Where to correct invalid inputs: secrets and variables are not in the workflow file. */
function remedyFor(faults: readonly InputFault[]): string {
  const isKey = ({ input }: InputFault) => input === 'api-key'
  const isVariable = ({ input, got }: InputFault) => input === 'project-id' && got === 'nothing'
  const others = faults.filter((fault) => !isKey(fault) && !isVariable(fault))
  const ofFile =
    others.length < faults.length ? 'Correct the rest in the workflow file.' : 'Correct the workflow file.'
  return [
    ...(faults.some(isKey)
      ? [`Create an admin key on ${apiKeysUrl}. Store it in the secret that \`api-key\` reads.`]
      : []),
    ...(faults.some(isVariable) ? ['Store the project ID in the variable that `project-id` reads.'] : []),
    ...(others.length > 0 ? [ofFile] : []),
  ].join(' ')
}

function explainNoInstruction({ command, isHelp }: Extract<Problem, { type: 'no-prompt' }>): Explained {
  const named = command === null ? 'the command' : inCode(command, 60)
  return {
    headline: isHelp ? 'Help requested' : 'No prompt',
    what: isHelp ? `The comment asks how to use ${named}.` : `The comment has no text after ${named}.`,
    why: 'Without a prompt, no job starts.',
    next: `After ${named}, write what to change in the docs.`,
    fix: 'commenter',
  }
}

function explainRejectedEvent({ event, why }: Extract<Problem, { type: 'event-rejected' }>): Explained {
  const name = inCode(event, 60)
  switch (why) {
    case 'target':
      return {
        headline: 'Unsafe event',
        what: `The step does not run on ${name}.`,
        why: "That event gives secrets to runs for a fork's pull request.",
        next: 'Use `pull_request` or `push`.',
      }
    case 'no-command':
      return {
        headline: 'No command for comments',
        what: `The step runs on ${name} and has no \`command\`.`,
        why: 'Anyone who comments could start the agent.',
        next: 'Set `command` to a word such as `/docs`.',
      }
    case 'unreadable':
      return {
        headline: 'Unreadable event',
        what: `The payload of ${name} is not what GitHub documents.`,
        why: 'The step cannot see who made the request or what it asks for.',
        next: 'Please report this as a bug in the action.',
      }
  }
}

function explainNotAllowed({ login, required, isBot }: Extract<Problem, { type: 'not-allowed' }>): Explained {
  const who = inCode(login, 60)
  const common = { headline: 'Not allowed', fix: 'commenter' as const }
  if (isBot)
    return {
      ...common,
      what: `Skipped: ${who} is a bot, and \`allowed\` does not list it.`,
      why: 'Only listed bots can start the agent.',
      next: 'To allow it, add its login to `allowed`.',
    }
  return {
    ...common,
    what: `Skipped: ${who} does not have the \`${required}\` role on this repository.`,
    why: 'Only people with that role or a higher one can start the agent.',
    next: 'Someone with that role can ask instead. To allow more people, change the role in `allowed`.',
  }
}

function explainOutOfBounds(files: OutOfBounds): Explained {
  switch (files.kind) {
    case 'outside':
      return {
        headline: 'Changes outside the allowed paths',
        what: `The agent's pull request changes ${counted(files.paths.length, 'file')} outside \`allowed-paths\`.`,
        why: '',
        next: 'Review these files before you merge. If they are fine, add them to `allowed-paths`.',
        list: listed(files.paths),
      }
    case 'unreadable':
      return {
        headline: 'Changed files could not be checked',
        what: "The pull request's files could not be read, so `allowed-paths` was not checked.",
        why: "The token may lack `contents: read`, or access to the pull request's repository.",
        next: 'Review the files before you merge. Set `github-token` to a token that can read them.',
      }
    case 'unchecked':
      return {
        headline: 'Not checked',
        what: "The agent's pull request was not checked against `allowed-paths`.",
        why: 'For 24 hours, no settle step had the same `allowed-paths` as the step that asked.',
        next: 'Review the files before you merge. Set the same `allowed-paths` in the settle step.',
      }
    case 'cut':
      return {
        headline: 'Changed files could not be checked',
        what: `GitHub lists ${files.listed} of the pull request's ${files.total} files, so \`allowed-paths\` was not checked.`,
        why: 'GitHub truncates the file list of a pull request this large.',
        next: 'Review the files before you merge.',
      }
  }
}

/** Maximum number of listed paths. */
const pathLimit = 10

function listed(paths: readonly string[]): { text: string }[] {
  const named = paths.slice(0, pathLimit).map((path) => ({ text: inCode(path, 200) }))
  const more = paths.length - named.length
  return more > 0 ? [...named, { text: `and ${more} more` }] : named
}

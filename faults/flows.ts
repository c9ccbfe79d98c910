/** The flows to test with a fault: what happened before, the run with the fault, and the run after it. */
import { issue, issueComment, pushed } from '../sandbox/payloads.ts'
import { pushes, type Request } from './world.ts'

export interface Flow {
  name: string
  /** The runs before, without a fault, starting from the empty state. */
  before: readonly Request[]
  /** The run with the fault. */
  run: Request
  /** The run after it: the next command or push. */
  next: Request
}

const pages = ['install', 'upgrade', 'pricing']
const waiting = { 'poll-interval': '1s', timeout: '15s' }

function command(index: number, inputs: Request['inputs'] = {}): Request {
  const [id, page] = [1001 + index, pages[index] ?? '']
  return {
    event: issueComment({ id, body: `/docs fix the ${page} page` }),
    text: `fix the ${page} page`,
    place: { comment: id },
    inputs: { ...waiting, command: '/docs', ...inputs },
    run: String(1_000_001 + index),
    attempt: 1,
    later: 0,
  }
}

function push(index: number, inputs: Request['inputs'] = {}): Request {
  const { before, after, file } = pushes[index] ?? { file: '' }
  const limits = { 'open-limit': '1', 'on-open-limit': 'follow-up' }
  return {
    event: pushed({ ...(before && after && { before, after }), repository: 'acme/docs' }),
    text: file,
    place: { commit: after?.sha ?? '' },
    inputs: { ...waiting, prompt: 'Update the docs', 'context-diff': 'true', ...limits, ...inputs },
    run: String(2_000_001 + index),
    attempt: 1,
    later: 0,
  }
}

function label(): Request {
  return {
    event: issue({ title: 'The install page', body: 'It lacks a step.' }),
    text: 'It lacks a step.',
    place: { label: '3000001' },
    inputs: { ...waiting, label: 'docs', prompt: 'Answer the issue' },
    run: '3000001',
    attempt: 1,
    later: 0,
  }
}

/** A run in mode `settle` that finishes an earlier request. */
function settle(earlier: Request): Request {
  return {
    ...earlier,
    event: { name: 'schedule', actor: 'mona', payload: { schedule: '*/30 * * * *' } },
    inputs: { mode: 'settle', timeout: '15s' },
    run: '4000001',
    ends: 'settled',
    // Settle ignores requests from the last ten minutes.
    later: 15,
  }
}

/** A re-run, five minutes later. */
export function again(request: Request): Request {
  return { ...request, attempt: request.attempt + 1, later: request.later + 5 }
}

const detached = { wait: 'false' }

export const flows: readonly Flow[] = [
  { name: 'command', before: [], run: command(0), next: command(1) },
  { name: 'second command', before: [command(0)], run: command(1), next: command(2) },
  {
    name: 'resume a command',

    before: [command(0, detached)],
    run: again(command(0)),
    next: command(1),
  },
  { name: 'label', before: [], run: label(), next: command(1) },
  { name: 'push', before: [], run: push(0), next: push(1) },
  { name: 'rolling push', before: [push(0)], run: push(1), next: push(2) },
  { name: 'resume a push', before: [push(0, detached)], run: again(push(0)), next: push(1) },
  { name: 'settle a command', before: [command(0, detached)], run: settle(command(0)), next: command(1) },
  { name: 'settle a push', before: [push(0, detached)], run: settle(push(0)), next: push(1) },
]

/** The next request, minutes after all others. */
export function later(request: Request): Request {
  return { ...request, later: 30 }
}

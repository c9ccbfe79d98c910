/**
 * A killed process, its re-run, and the next command, in the committed bundle. test/usecases/crash.test.ts fails every
 * call of every flow; this samples it with real signals, state files and a post step.
 */
import { describe, expect, it } from 'vitest'
import { again, flows, later } from '../../faults/flows.ts'
import { emptyState, type Fate, type Operation, type Ran, runFrom, type State } from '../../faults/world.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { signWith } from '../../src/adapters/sign.ts'
import { readMark } from '../../src/core/mark.ts'

/** Kills the step once the platform has carried out the operation. `lost`: the runner is lost, too. */
function killAt(on: Operation, isLost: boolean) {
  return (step: Parameters<NonNullable<Parameters<typeof runFrom>[2]>>[0]): Fate => ({
    platform: [{ on, times: 1, do: { kind: 'meanwhile', run: () => step().kill('SIGKILL') } }],
    hasNoPost: isLost,
  })
}

const outcomeOf = ({ result }: Ran) => result.outputs.outcome ?? 'killed'

/** The first lines of the action's comments about requests on the thread. */
function said({ comments }: State): string[] {
  const sign = signWith(sandboxKey)
  return comments
    .filter(({ id, body, thread }) => {
      const found = readMark({ id, body, createdAt: 0, nodeId: '' }, `acme/docs#${thread.number}`, sign)
      return thread.number === 7 && found?.mark.role === 'reply'
    })
    .map(({ body }) => body.split('\n')[0] ?? '')
}

describe.concurrent('a killed run leaves at most one job, and no one waiting', () => {
  it.each([
    ['command', 'create', false, ['killed', 'unconfirmed', 'pull-request']],
    ['rolling push', 'message', true, ['killed', 'unconfirmed', 'pull-request']],
  ] as const)('%s, killed at its %s', { timeout: 90_000 }, async (name, operation, isLost, outcomes) => {
    const flow = flows.find((one) => one.name === name)
    if (flow === undefined) throw new Error('There is no such flow')
    let state = emptyState
    for (const request of flow.before) state = (await runFrom(state, request)).state
    const killed = await runFrom(state, flow.run, killAt(operation, isLost))
    const rerun = await runFrom(killed.state, again(flow.run))
    const next = await runFrom(rerun.state, later(flow.next))
    expect([killed, rerun, next].map(outcomeOf)).toEqual(outcomes)
    const sent = next.state.jobs.flatMap(({ prompt, messages }) => [prompt, ...messages])
    expect(sent.filter((prompt) => prompt.includes(flow.run.text))).toHaveLength(1)
    expect(said(next.state).filter((line) => /^⏳/.test(line))).toEqual([])
  })
})

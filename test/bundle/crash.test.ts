/**
 * A killed process, its re-run, and the next command, in the committed bundle. test/usecases/crash.test.ts fails every
 * call of every flow; this samples it with real signals, state files and a post step.
 */
import { expect, it } from 'vitest'
import { again, flows, later } from '../../faults/flows.ts'
import { emptyState, type Ran, runFrom, type State } from '../../faults/world.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { signWith } from '../../src/adapters/sign.ts'
import { readMark } from '../../src/core/mark.ts'

/** Kills the step once the platform has created the job. */
const killAtCreate: Parameters<typeof runFrom>[2] = (step) => ({
  platform: [{ on: 'create', times: 1, do: { kind: 'meanwhile', run: () => step().kill('SIGKILL') } }],
})

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

it('a killed run leaves at most one job, and no one waiting', async () => {
  const flow = flows.find(({ name }) => name === 'command')
  if (flow === undefined) throw new Error('There is no such flow')
  const killed = await runFrom(emptyState, flow.run, killAtCreate)
  const rerun = await runFrom(killed.state, again(flow.run))
  const next = await runFrom(rerun.state, later(flow.next))
  expect([killed, rerun, next].map(outcomeOf)).toEqual(['killed', 'unconfirmed', 'pull-request'])
  const sent = next.state.jobs.flatMap(({ prompt, messages }) => [prompt, ...messages])
  expect(sent.filter((prompt) => prompt.includes(flow.run.text))).toHaveLength(1)
  expect(said(next.state).filter((line) => /^⏳/.test(line))).toEqual([])
})

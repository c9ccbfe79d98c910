import { describe, expect, it } from 'vitest'
import { createFollow, prepare, runCell, troubles } from '../../faults/crash.ts'
import { flows } from '../../faults/flows.ts'
import { makeCertificates } from '../../faults/front.ts'

/** Two calls for each flow, with the faults that broke the most; `npm run faults` runs them all. */
const sample: [flow: string, call: string, troubles: string[]][] = [
  ['command', 'create', ['SIGKILL', 'reset +']],
  ['command', 'issues/create-comment', ['lost', 'reset +']],
  ['second command', 'message', ['SIGINT']],
  ['resume a command', 'issues/delete-comment', ['500']],
  ['label', 'issues/update-comment', ['403']],
  ['push', 'repos/create-commit-status', ['lost', 'refused']],
  ['rolling push', 'message', ['reset +', 'lost']],
]

describe.each(sample)('%s: a fault of %s', (name, callName, faults) => {
  it.each(faults)('%s: one job at most, one result, and nobody waits', async (fault) => {
    const flow = flows.find((one) => one.name === name)
    const trouble = troubles.find((one) => one.name === fault)
    if (flow === undefined || trouble === undefined) throw new Error('The sample names no flow or no fault')
    const prepared = await prepare(flow)
    const call = prepared.calls.findLast((one) => one.name === callName)
    if (call === undefined) throw new Error(`The flow makes no call ${callName}`)
    const shared = { follow: createFollow(), certificates: await makeCertificates() }
    expect((await runCell(prepared, call, trouble, shared)).broken).toEqual([])
  })
})

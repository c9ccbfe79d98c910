import { describe, expect, it } from 'vitest'
import { createFollow, prepare, runCell, troubles } from '../../faults/crash.ts'
import { flows } from '../../faults/flows.ts'
import { makeCertificates } from '../../faults/front.ts'

/**
 * The calls and faults that found the most bugs. `npm run faults` runs every call with every fault;
 * test/usecases/crash.test.ts fails every call without a process.
 */
const sample: [flow: string, call: string, fault: string][] = [
  ['command', 'create', 'SIGKILL'],
  ['rolling push', 'message', 'lost'],
]

describe.concurrent('a fault leaves one job at most, one result, and nobody who waits', () => {
  it.each(sample)('%s, at its last %s: %s', { timeout: 90_000 }, async (name, callName, fault) => {
    const flow = flows.find((one) => one.name === name)
    const trouble = troubles.find((one) => one.name === fault)
    if (flow === undefined || trouble === undefined) throw new Error('The sample names no flow or no fault')
    const ready = await prepare(flow)
    const call = ready.calls.findLast((one) => one.name === callName)
    if (call === undefined) throw new Error(`The flow makes no call ${callName}`)
    const shared = { follow: createFollow(), certificates: await makeCertificates() }
    expect((await runCell(ready, call, trouble, shared)).broken).toEqual([])
  })
})

/** Cancels runs with SIGINT at 50 moments from start to end. At every fifth moment, also kills a run with SIGKILL. */
import { accountOn, startPlatform } from '../sandbox/platform/server.ts'
import { startStep } from '../sandbox/runner/step.ts'
import { inParallel } from './parallel.ts'

export interface Cancelled {
  signal: NodeJS.Signals
  /** Milliseconds from the process's start to the signal. */
  at: number
  outcome: string
  /** Milliseconds from the signal to the process's end. */
  took: number
  broken: string[]
}

const moments = 50
/** Approximate duration of an uncancelled run in milliseconds: the start, and two polls a second apart. */
const span = 2_300

export async function cancelSweep(atOnce: number): Promise<Cancelled[]> {
  const times = Array.from({ length: moments }, (_, index) => Math.round((span * index) / (moments - 1)))
  const tasks = times.flatMap((at, index) => [
    () => cancelAt(at, 'SIGINT'),
    ...(index % 5 === 0 ? [() => cancelAt(at, 'SIGKILL')] : []),
  ])
  return inParallel(tasks, Math.min(atOnce, 4), ({ signal, at, outcome, took, broken }) =>
    console.log(
      `cancel    ${signal} at ${String(at).padStart(4)} ms  ${outcome.padEnd(13)} ended in ${Math.round(took)} ms`,
      ...broken.map((name) => `BROKEN: ${name}`),
    ),
  )
}

async function cancelAt(at: number, signal: 'SIGINT' | 'SIGKILL'): Promise<Cancelled> {
  const platform = await startPlatform({ readsUntilEnd: 1 })
  try {
    const step = startStep({
      with: {
        ...accountOn(platform),
        prompt: 'Fix it',
        'poll-interval': '1s',
        timeout: '10s',
      },
    })
    await new Promise((resolve) => setTimeout(resolve, at))
    const sent = performance.now()
    step.kill(signal)
    const result = await step.done
    const took = performance.now() - sent
    const { outcome = '', jobId = '' } = result.outputs
    const text = result.log.map((line) => line.text).join('\n')
    const [known] = platform.jobs.keys()
    // A signal before the action's first line kills the process. That is harmless, because nothing has been sent yet.
    const heard = result.signal === null
    const isOver = outcome !== '' && outcome !== 'cancelled'
    const said = /Created job (\S+?)[.;]/.exec(text)?.[1]
    const faults: [boolean, string][] = [
      [signal === 'SIGINT' && heard && outcome === '', 'no outcome'],
      [signal === 'SIGINT' && !heard && known !== undefined && outcome === '', 'killed with a job'],
      [said !== undefined && signal === 'SIGINT' && jobId === '', 'job id lost'],
      [signal === 'SIGINT' && took > 2_000 + 500, 'took over two seconds'],
      [platform.jobs.size > 1, 'sent twice'],
      [jobId !== '' && !isOver && !text.includes(`job-id: ${jobId}`), 'no line to resume'],
      [
        known !== undefined && !isOver && jobId === '' && !/may have been created/.test(text),
        'a job that was not reported',
      ],
    ]
    const broken = faults.filter(([isBroken]) => isBroken).map(([, name]) => name)
    return { signal, at, outcome: outcome || '(killed)', took, broken }
  } finally {
    await platform.close()
  }
}

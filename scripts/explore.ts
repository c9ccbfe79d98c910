/**
 * `npm run explore`: explores all scenarios with their larger budgets, on all cores. Prints the shortest schedule that
 * breaks an invariant. Arguments select scenarios by the start of their names, and print the schedules of those that are
 * known to fail, too.
 */
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { invariants } from '../test/explorer/judge.ts'
import { play, type Scenario, scenarios } from '../test/explorer/scenarios.ts'
import type { Found } from '../test/explorer/search.ts'

interface Done extends Found {
  index: number
  seconds: number
}

if (isMainThread) await main(process.argv.slice(2))
else parentPort?.on('message', (index: number) => void work(index))

async function work(index: number): Promise<void> {
  const { more, ...scenario } = scenarios[index] as Scenario
  const start = performance.now()
  const found = await play({ ...scenario, ...(more && { budget: more }) })
  const done: Done = { ...found, index, seconds: (performance.now() - start) / 1000 }
  parentPort?.postMessage(done)
}

async function main(names: readonly string[]): Promise<void> {
  const chosen = [...scenarios.keys()].filter((index) => {
    return names.length === 0 || names.some((name) => scenarios[index]?.name.startsWith(name))
  })
  const count = chosen.length
  const start = performance.now()
  const all: Done[] = []
  const finished = new Promise<void>((resolve, reject) => {
    for (let core = 0; core < Math.min(availableParallelism(), chosen.length); core++) {
      const worker = new Worker(new URL(import.meta.url))
      const next = () => worker.postMessage(chosen.shift())
      worker.on('message', (done: Done) => {
        all.push(done)
        report(done, names.length > 0)
        if (chosen.length > 0) return next()
        worker.terminate().then(() => {
          if (all.length === count) resolve()
        }, reject)
      })
      worker.on('error', reject)
      next()
    }
  })
  await finished
  const sum = (field: 'states' | 'transitions') => all.reduce((total, done) => total + done[field], 0)
  const seconds = Math.round((performance.now() - start) / 1000)
  console.log(
    `\n${all.length} scenarios, ${sum('states')} states, ${sum('transitions')} transitions, ${seconds} s`,
  )
  if (!all.every(isExpected)) process.exitCode = 1
}

function isExpected({ index, broken }: Done): boolean {
  const { fails } = scenarios[index] as Scenario
  return (broken?.invariant ?? null) === (fails === undefined ? null : invariants[fails])
}

function report(done: Done, isChosen: boolean): void {
  const { index, broken, states, transitions, seconds } = done
  const { name, fails } = scenarios[index] as Scenario
  const failed = fails === undefined ? 'BROKEN' : 'broken'
  console.log(`${broken === null ? 'holds ' : failed} ${name}`)
  console.log(`       ${states} states, ${transitions} transitions, ${seconds.toFixed(1)} s`)
  if (broken === null || (isExpected(done) && !isChosen)) return
  console.log([`       ${broken.invariant}:`, ...broken.schedule].join('\n         '))
}

/**
 * `npm run explore`: explores all scenarios with all budgets, on all cores, and prints the shortest schedule that breaks
 * an invariant. Arguments select scenarios by the start of their names.
 */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { budgetsOf, play, type Scenario, scenarios } from '../test/explorer/scenarios.ts'
import type { Found } from '../test/explorer/search.ts'

if (isMainThread) await main(process.argv.slice(2))
else parentPort?.postMessage(await play(scenarios[workerData.index] as Scenario, workerData.budget))

async function main(names: readonly string[]): Promise<void> {
  const searches = scenarios.flatMap((scenario, index) => {
    const { name } = scenario
    const isChosen = names.length === 0 || names.some((each) => name.startsWith(each))
    return isChosen ? budgetsOf(scenario).map((budget) => ({ name, budget, index })) : []
  })
  const start = performance.now()
  const total = { searches: 0, states: 0, transitions: 0 }
  const waiting = searches.values()
  const core = async () => {
    for (const { name, budget, index } of waiting) {
      const begun = performance.now()
      const worker = new Worker(new URL(import.meta.url), { workerData: { index, budget } })
      const [found] = (await once(worker, 'message')) as [Found]
      const { broken, states, transitions } = found
      console.log(`${broken === null ? 'holds ' : 'BROKEN'} ${name}: ${budget}
       ${states} states, ${transitions} transitions, ${secondsSince(begun)} s`)
      if (broken !== null)
        console.log([`       ${broken.invariant}:`, ...broken.schedule].join('\n         '))
      total.searches++
      total.states += states
      total.transitions += transitions
      if (broken !== null) process.exitCode = 1
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, core))
  console.log(
    `\n${total.searches} searches, ${total.states} states, ${total.transitions} transitions, ${secondsSince(start)} s`,
  )
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1)
}

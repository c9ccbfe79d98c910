/**
 * `npm run explore`: explores all scenarios with all budgets, on all cores, and prints the shortest schedule that breaks
 * an invariant. Arguments select scenarios by the start of their names.
 */
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { play, type Scenario, scenarios } from '../test/explorer/scenarios.ts'
import type { Found } from '../test/explorer/search.ts'

interface Task {
  index: number
  budget: string
}

interface Done extends Task, Found {
  seconds: number
}

if (isMainThread) await main(process.argv.slice(2))
else parentPort?.on('message', (task: Task) => void work(task))

async function work(task: Task): Promise<void> {
  const start = performance.now()
  const found = await play(scenarios[task.index] as Scenario, task.budget)
  parentPort?.postMessage({ ...task, ...found, seconds: (performance.now() - start) / 1000 })
}

async function main(names: readonly string[]): Promise<void> {
  const tasks = scenarios.flatMap(({ name, budgets }, index): Task[] => {
    const isChosen = names.length === 0 || names.some((each) => name.startsWith(each))
    return isChosen ? budgets.map((budget) => ({ index, budget })) : []
  })
  const start = performance.now()
  const all: Done[] = []
  const core = async () => {
    const worker = new Worker(new URL(import.meta.url))
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      const finished = Promise.withResolvers<Done>()
      worker.once('message', finished.resolve)
      worker.once('error', finished.reject)
      worker.postMessage(task)
      const done = await finished.promise
      worker.off('error', finished.reject)
      report(done)
      all.push(done)
    }
    await worker.terminate()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, core))
  const sum = (field: 'states' | 'transitions') => all.reduce((total, done) => total + done[field], 0)
  const seconds = Math.round((performance.now() - start) / 1000)
  console.log(
    `\n${all.length} searches, ${sum('states')} states, ${sum('transitions')} transitions, ${seconds} s`,
  )
  if (all.some(({ broken }) => broken !== null)) process.exitCode = 1
}

function report({ index, budget, broken, states, transitions, seconds }: Done): void {
  console.log(`${broken === null ? 'holds ' : 'BROKEN'} ${scenarios[index]?.name}: ${budget}`)
  console.log(`       ${states} states, ${transitions} transitions, ${seconds.toFixed(1)} s`)
  if (broken !== null) console.log([`       ${broken.invariant}:`, ...broken.schedule].join('\n         '))
}

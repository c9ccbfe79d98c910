/** Runs at most `atOnce` tasks in parallel, and returns the results in the order of the tasks. */
export async function inParallel<T>(
  tasks: readonly (() => Promise<T>)[],
  atOnce: number,
  onResult: (result: T) => void = () => {},
): Promise<T[]> {
  const results: (T | undefined)[] = tasks.map(() => undefined)
  const done = tasks.map(() => false)
  let next = 0
  let shown = 0
  const work = async () => {
    for (let at = next++; at < tasks.length; at = next++) {
      results[at] = await tasks[at]?.()
      done[at] = true
      for (; done[shown]; shown++) onResult(results[shown] as T)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results as T[]
}

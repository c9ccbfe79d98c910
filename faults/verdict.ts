/** A run with a fault, and the rules that it broke. */
export interface Verdict {
  name: string
  outcome: string
  /** What else to print: requests, jobs, seconds. */
  note: string
  broken: string[]
}

/** The names of the rules that are broken. */
export function brokenOf(rules: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(rules).filter((name) => rules[name])
}

/** Runs at most `atOnce` tasks in parallel, and prints each verdict. */
export async function runAll(tasks: readonly (() => Promise<Verdict>)[], atOnce: number): Promise<Verdict[]> {
  const waiting = [...tasks]
  const verdicts: Verdict[] = []
  const work = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const verdict = await task()
      const { name, outcome, note, broken } = verdict
      console.log(
        [name.padEnd(48), outcome.padEnd(13), note, ...broken.map((rule) => `BROKEN: ${rule}`)].join(' '),
      )
      verdicts.push(verdict)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return verdicts
}

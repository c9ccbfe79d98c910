/** A run with a fault: its outcome, what else to print, and the rules, with those that it broke. */
export interface Verdict {
  name: string
  outcome: string | undefined
  note: string
  rules: Readonly<Record<string, boolean>>
}

/** Runs at most `atOnce` tasks in parallel, and prints each verdict. Returns the rules that each run broke. */
export async function runAll(tasks: readonly (() => Promise<Verdict>)[], atOnce: number) {
  const waiting = tasks.values()
  const runs: { name: string; broken: string[] }[] = []
  const work = async () => {
    for (const task of waiting) {
      const { name, outcome = '(killed)', note, rules } = await task()
      const broken = Object.keys(rules).filter((rule) => rules[rule])
      console.log(name.padEnd(48), outcome.padEnd(13), note, ...broken.map((rule) => `BROKEN: ${rule}`))
      runs.push({ name, broken })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return runs
}

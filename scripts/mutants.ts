/**
 * `npm run mutants`: breaks the code on purpose, with one mutant in `test/mutants/` at a time, and checks that its tests
 * fail. No file changes: Vitest loads the mutated module instead of the real one. `--all` also runs the slow groups.
 * Other arguments select groups by their files.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { type Mutant, type MutantGroup, mutantGroups } from '../test/mutants/mutants.ts'

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const names = args.filter((arg) => arg !== '--all')
const chosen = mutantGroups.filter(({ file, isLong }) =>
  names.length > 0 ? names.some((name) => file.includes(name)) : !isLong || args.includes('--all'),
)

/** The module with the mutant's change. Throws unless the module contains the mutant's text exactly once. */
function mutated(code: string, [does, text, replacement]: Mutant, file: string): string {
  const found = code.split(text).length - 1
  if (found !== 1) throw new Error(`${file}: “${does}” is in the file ${found} times: ${text}`)
  return code.replace(text, () => replacement)
}

/** Runs a group's tests, first without a mutant, then with each one. Returns the mutants that survive. */
async function runGroup({ file, tests, mutants }: MutantGroup): Promise<string[]> {
  // Vite's module ids contain slashes on every operating system.
  const path = join(root, file).replaceAll('\\', '/')
  let current: Mutant | null = null
  const plugin = {
    name: 'mutant',
    enforce: 'pre',
    load: (id: string) =>
      current !== null && id.split('?')[0] === path
        ? mutated(readFileSync(path, 'utf8'), current, file)
        : undefined,
  } as const
  // Without a cache, because it could return the real module instead of the mutant.
  const uncached = { watch: false, fsModuleCache: false, cache: false } as const
  const vitest = await createVitest(
    { root, ...uncached, reporters: [{}], update: 'none' },
    { plugins: [plugin] },
  )
  const specifications = await vitest.globTestSpecifications([...tests])
  const passes = async (mutant: Mutant | null) => {
    current = mutant
    vitest.invalidateFile(path)
    const { testModules } = await vitest.runTestSpecifications(specifications)
    const states = testModules.map((module) => module.state())
    // A test that fails before it compares its snapshot leaves that snapshot obsolete. The run itself has not failed.
    const [error] = testModules
      .flatMap((module) => module.errors())
      .filter(({ message }) => !message.startsWith('Obsolete snapshots'))
    const haveRun = states.length > 0 && states.length === specifications.length
    if (error !== undefined || !haveRun || states.some((state) => !/^(passed|failed)$/.test(state)))
      throw new Error(`${file}: ${mutant?.[0] ?? 'no mutant'}: ${error?.message ?? 'not all tests ran'}`)
    return states.every((state) => state === 'passed')
  }
  try {
    if (!(await passes(null))) throw new Error(`The tests of ${file} fail without a mutant`)
    const survivors: string[] = []
    for (const mutant of mutants) {
      const survives = await passes(mutant)
      if (survives) survivors.push(`- ${file} ${mutant[0]}`)
      console.log(`  ${survives ? 'SURVIVED' : 'killed  '} ${mutant[0]}`)
    }
    return survivors
  } finally {
    await vitest.close()
  }
}

// Before the first test runs, finds texts that are missing or ambiguous.
for (const { file, mutants } of mutantGroups)
  for (const mutant of mutants) mutated(readFileSync(join(root, file), 'utf8'), mutant, file)

const start = performance.now()
const survivors: string[] = []
for (const group of chosen) {
  console.log(`\n${group.file}`)
  survivors.push(...(await runGroup(group)))
}
const total = chosen.reduce((sum, { mutants }) => sum + mutants.length, 0)
const seconds = ((performance.now() - start) / 1000).toFixed(0)
console.log(`\n${total - survivors.length} of ${total} mutants killed in ${seconds} s.`)
if (survivors.length > 0) console.log(`Survived:\n${survivors.join('\n')}`)
// Vitest sets it to 1 when a test fails.
process.exitCode = survivors.length > 0 ? 1 : 0

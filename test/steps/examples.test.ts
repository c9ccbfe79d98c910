/** Every workflow in examples/ works without changes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectDir } from '../../sandbox/runner/action.ts'
import { examples as payloads } from '../webhooks.ts'
import { runWorkflow } from '../workflow-run.ts'
import { examples, runExample } from './examples-world.ts'
import { runStep } from './run.ts'

it('the table lists every example', () => {
  const inFleets = ['rollout.yml', 'visitors-hours.yml'] // fleets.test.ts
  // No step of this project; a workflow that others call.
  const others = ['stale.yml', 'wrapper.yml']
  const names = [...new Set([...examples.map(([name]) => name), ...inFleets, ...others])].toSorted()
  expect(names).toEqual(readdirSync(join(projectDir, 'examples')).toSorted())
})

// GitHub's own payloads have more fields than the sandbox's, and nulls.
it.each(readdirSync(join(projectDir, 'examples')))(
  "the expressions in %s work with GitHub's own event payloads",
  async (name) => {
    const { on } = parse(readFileSync(join(projectDir, 'examples', name), 'utf8')) as { on: object }
    const events = payloads.filter((event) => event.name in on)
    for (const event of events) {
      const given: string[] = []
      await runWorkflow(join('examples', name), {
        event,
        repository: 'acme/docs',
        vars: { DOCS_PROJECT_ID: 'docs' },
        secrets: { DOCS_AGENT_API_KEY: 'key', DOCS_READ_API_KEY: 'key' },
        runAction: async ({ inputs }) => {
          given.push(`${inputs['project-id']} ${inputs['api-key']}`)
          return {}
        },
      })
      expect(given.filter((each) => !/^\S+ key$/.test(each))).toEqual([])
    }
  },
)

it.each(examples)('the example %s runs', async (name, event, outcome) => {
  expect(await runExample(name, event, runStep)).toEqual({ outcome, log: [] })
})

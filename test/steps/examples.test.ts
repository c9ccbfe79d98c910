/** Every workflow in examples/ works without changes. fleets.test.ts has those that run scripts. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectDir } from '../../sandbox/runner/action.ts'
import { examples as payloads } from '../webhooks.ts'
import { runWorkflow } from '../workflow-run.ts'
import { examples, runExample } from './examples-world.ts'

const folder = join(projectDir, 'examples')

it('the table lists every example', () => {
  // Examples in fleets.test.ts, those without a step of this project, and those that other workflows call.
  const others = ['rollout.yml', 'visitors-hours.yml', 'stale.yml', 'wrapper.yml']
  const names = new Set([...examples.map(([name]) => name), ...others])
  expect([...names].toSorted()).toEqual(readdirSync(folder).toSorted())
})

// GitHub's own payloads have more fields than the sandbox's, and nulls.
it.each(readdirSync(folder))("the expressions in %s work with GitHub's own event payloads", async (name) => {
  const { on } = parse(readFileSync(join(folder, name), 'utf8')) as { on: object }
  const given: string[] = []
  for (const event of payloads.filter((event) => event.name in on))
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
})

it.each(examples)(
  'the example %s, with the event “%s”, ends as “%s”',
  async (name = '', event = '', outcome) => {
    expect(await runExample(name, event)).toMatchObject({ outcome, log: [] })
  },
)

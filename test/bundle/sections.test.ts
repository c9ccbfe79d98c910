/** Mode visitors with sections, in the bundle. test/steps/sections.test.ts covers every case. */
import { expect, it } from 'vitest'
import { reportWith } from '../steps/sections-world.ts'
import { fileNames } from '../steps/visitors-world.ts'
import { runBundle } from './run.ts'

const report = reportWith(runBundle)

it.concurrent('sections are in the order of what to do, and in the files', async () => {
  const run = await report()
  expect(run.outputs).toMatchObject({ outcome: 'reported', complete: 'true' })
  expect(run.headings.slice(0, 3)).toEqual([
    'Do next',
    'What moved',
    'Questions the assistant left unanswered',
  ])
  expect(run.files).toEqual(fileNames)
  const json = JSON.parse(run.read('report.json'))
  expect(run.commands).toHaveLength(3)
  expect(json.suggestions.map(({ command }: { command: string }) => command)).toEqual(run.commands)
})

import { expect, it } from 'vitest'
import { reviewSubmitted } from '../../sandbox/payloads.ts'
import { runStep } from '../../sandbox/runner/step.ts'
import { hiddenTexts, recordedTexts } from '../hidden-text.ts'
import { createWorld } from '../steps/comment-world.ts'

/** The prompt for a review with these texts as its line comments. The last one is also the pull request's text. */
async function promptWith(texts: readonly string[], pages = new Map<string, string>()): Promise<string> {
  const comments = texts.map((body, index) => {
    const id = 2001 + index
    return { id, thread: { number: 7, reviewRoot: id }, body, user: 'mona', review: 1001 }
  })
  const { service, command } = await createWorld(runStep, { github: { comments, pages } })
  const { outputs } = await command(reviewSubmitted({ text: texts.at(-1) ?? '' }), {
    wait: 'false',
    'context-diff': 'false',
  })
  expect(outputs).toMatchObject({ outcome: 'detached', jobId: 'job_0001' })
  return service.jobs.get('job_0001')?.prompt ?? ''
}

it.concurrent('what people do not see on GitHub is not in the prompt', async ({ expect }) => {
  const prompt = await promptWith(hiddenTexts.map(({ markdown }) => markdown))
  expect(hiddenTexts.length).toBeGreaterThan(200)
  expect(prompt.match(/hidden\d+/g)).toBeNull()
  const visible = [...hiddenTexts, ...hiddenTexts.slice(-1)].map(({ markdown }) => markdown).join('\n')
  expect(prompt.match(/\bseen\b/g)).toEqual(visible.match(/\bseen\b/g))
})

it.concurrent("what GitHub's own parser hides is not in the prompt", async ({ expect }) => {
  const prompt = await promptWith([...recordedTexts.keys()], recordedTexts)
  expect(prompt).not.toContain('IGNORE')
  // People see these elements as text.
  expect(prompt).toContain('<title>a</title> <textarea>b</textarea> <style>c</style> <xmp>d</xmp> e')
})

import { expect, it } from 'vitest'
import type { Exchange } from '../../src/core/job/response.ts'
import type { LogEntry } from '../../src/say/messages.ts'
import { call } from '../../src/usecases/jobs.ts'
import { answer } from './world.ts'

const tooMany = answer(429)
const created = answer(201, { id: 'job_1' })
const limited = expect.stringMatching(/rate limit .* Next attempt in/)
const create = { name: 'create', projectId: 'docs', prompt: 'Fix it' } as const

/** Calls a platform that gives these responses in turn, in simulated time. The first call can cancel the step. */
async function run(answers: Exchange[], mayRepeat: () => Promise<boolean>, cancelsAtOnce = false) {
  const controller = new AbortController()
  const progress: string[] = []
  let [now, requests] = [0, 0]
  const ports = {
    clock: {
      now: () => now,
      date: () => now,
      async sleep(ms: number) {
        now += ms
      },
    },
    deadline: 600_000,
    random: () => 0.5,
    cancelled: controller.signal,
    log: (...entries: LogEntry[]) => progress.push(...entries.map(({ text }) => text)),
    http: {
      host: 'api.mintlify.com',
      async exchange() {
        if (cancelsAtOnce) controller.abort()
        return answers[requests++] ?? created
      },
    },
  }
  const { ok } = await call({ operation: create, parse: (json) => json }, ports, mayRepeat)
  return { ok, requests, progress }
}

it('a call that can be repeated is repeated', async () => {
  const seen = await run([tooMany, created], async () => true)
  expect(seen).toEqual({ ok: true, requests: 2, progress: [limited] })
})

it('a call asks whether to repeat, and waits for the answer', async () => {
  const seen = await run([tooMany, created], async () => false)
  expect(seen).toEqual({ ok: false, requests: 1, progress: [limited] })
})

it('a call announces no other attempt after a cancel', async () => {
  const seen = await run([tooMany, created], async () => true, true)
  expect(seen).toEqual({ ok: false, requests: 1, progress: [] })
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { issueComment } from '../../sandbox/payloads.ts'
import type { Failure } from '../../src/core/job/response.ts'
import { promptFor } from '../../src/core/prompt/instruction.ts'
import { readTrigger } from '../../src/core/trigger/trigger.ts'
import { announcementReply, resultReply, usageReply, workingReply } from '../../src/render/reply.ts'
import { agentSummary } from '../../src/render/summary.ts'
import { aJob, broken, hostileText, refused } from '../core/samples.ts'
import { elements, links, mentions, render } from './github.ts'
import { aResult, place, platform, step } from './samples.ts'

const context = { command: '/docs', runUrl: 'https://github.com/acme/docs/actions/runs/1' }

it('a reply has the links that the action wrote, and neither mention nor table, whatever the platform said', () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (detail, ref, model) => {
      const job = aJob({ ref, model })
      const results = [
        aResult({
          outcome: 'error',
          job,
          problem: platform('read', { ...refused(400), detail } as Failure),
        }),
        aResult({
          outcome: 'unconfirmed',
          job,
          problem: platform('create', { ...broken(500), detail } as Failure),
        }),
      ]
      for (const result of results) {
        const tree = render(resultReply(result, context, place))
        expect(links(tree)).toEqual([context.runUrl])
        expect(mentions(tree)).toEqual([])
      }
    }),
    { numRuns: 100 },
  )
})

it('a hostile comment leaves no link, mention, HTML or table in the reply or the summary', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const trigger = readTrigger(issueComment({ body: `/docs ${text}` }), {
        command: '/docs',
        agentLogin: '',
      })
      if (trigger.kind !== 'command') throw new Error('not a command')
      const prompt = { text: promptFor('', trigger), included: [], leftOut: [] }
      const result = aResult({ outcome: 'failed', job: aJob({}), prompt })
      const reply = render(resultReply(result, context, place))
      const summary = render(agentSummary(result, place, step))
      const plain = render(agentSummary({ ...result, prompt: { ...prompt, text: 'Fix it' } }, place, step))
      expect(links(reply)).toEqual([context.runUrl])
      expect(links(summary)).toEqual(links(plain))
      expect(elements(summary)).toEqual(elements(plain))
      expect([...mentions(reply), ...mentions(summary)]).toEqual([])
    }),
    { numRuns: 100 },
  )
})

it.each([
  ['working', workingReply(context, 'own')],
  ['going on', workingReply(context, 'thread')],
  ['new job', workingReply(context, 'replaced')],
  ['usage', usageReply(context)],
  ['announcement', announcementReply({ ...context, serverUrl: 'https://github.com' }, [])],
  [
    'a pull request',
    resultReply(
      aResult({ outcome: 'pull-request', job: aJob({ prLink: 'https://github.com/acme/docs/pull/7' }) }),
      context,
      place,
    ),
  ],
])('a reply that says %s', (_, reply) => {
  expect(reply).toMatchSnapshot()
})

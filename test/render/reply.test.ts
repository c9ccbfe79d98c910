import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Failure } from '../../src/core/reply.ts'
import { announcementReply, resultReply, usageReply, workingReply } from '../../src/render/reply.ts'
import { aJob, broken, hostileText, refused } from '../core/samples.ts'
import { links, mentions, render } from './github.ts'
import { aResult, place, platform } from './samples.ts'

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

it.each([
  ['working', workingReply(context, 'own')],
  ['going on', workingReply(context, 'thread')],
  ['new job', workingReply(context, 'replaced')],
  ['usage', usageReply(context)],
  ['announcement', announcementReply(context)],
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

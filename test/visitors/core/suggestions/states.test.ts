/** The state of a suggestion, from the requests, dismissals and pull requests that are found. */
import { describe, expect, it } from 'vitest'
import type { KnownSuggestion, State } from '../../../../src/visitors/core/suggestions/known.ts'
import {
  type PullState,
  pullsToRead,
  type SuggestionRequest,
  withStates,
} from '../../../../src/visitors/core/suggestions/states.ts'
import { suggestion } from './samples.ts'

const url = 'https://github.com/acme/docs/pull/101'
const request = (more: Partial<SuggestionRequest> = {}): SuggestionRequest => ({
  key: 's-1f3a9c',
  comment: 20,
  by: 'mona',
  isOver: false,
  prLink: null,
  ...more,
})
const dismissal = (request: number) => ({ key: 's-1f3a9c', by: 'hubot', request })

interface Found {
  before?: State
  requests?: SuggestionRequest[]
  dismissals?: ReturnType<typeof dismissal>[]
  pull?: PullState
}

const merged: State = { is: 'merged', by: 'mona', url, on: '2026-10-20' }
const measured: State = { is: 'measured', by: 'mona', url, on: '2026-09-01', result: { is: 'gone' } }

const situations: [string, Found, State][] = [
  ['nobody asked', {}, { is: 'open' }],
  ['someone asked', { requests: [request()] }, { is: 'asked', by: 'mona' }],
  ['the job failed', { requests: [request({ isOver: true })] }, { is: 'open' }],
  [
    'a pull request is open',
    { requests: [request({ prLink: url })], pull: { is: 'open' } },
    { is: 'pull-request', by: 'mona', url },
  ],
  [
    'GitHub does not show the pull request',
    { requests: [request({ isOver: true, prLink: url })] },
    { is: 'pull-request', by: 'mona', url },
  ],
  [
    'the pull request is merged',
    { requests: [request({ prLink: url })], pull: { is: 'merged', on: '2026-10-20' } },
    merged,
  ],
  [
    'it was measured, and raised again since',
    { requests: [request({ prLink: url })], pull: { is: 'merged', on: '2026-09-01' } },
    { is: 'open' },
  ],
  [
    'the pull request was closed',
    { requests: [request({ prLink: url })], pull: { is: 'closed' } },
    { is: 'open' },
  ],
  ['it was dismissed', { dismissals: [dismissal(21)] }, { is: 'dismissed', by: 'hubot' }],
  [
    'it was dismissed after a request',
    { requests: [request()], dismissals: [dismissal(21)] },
    { is: 'dismissed', by: 'hubot' },
  ],
  [
    'someone asked after a dismissal',
    { requests: [request()], dismissals: [dismissal(19)] },
    { is: 'asked', by: 'mona' },
  ],
  [
    'someone asked again',
    { requests: [request({ isOver: true }), request({ comment: 30, by: 'hubot' })] },
    { is: 'asked', by: 'hubot' },
  ],
  [
    'the comments are gone, and its pull request was open',
    { before: { is: 'pull-request', by: 'mona', url }, pull: { is: 'merged', on: '2026-10-20' } },
    merged,
  ],
  ['the comments are gone, and it was merged', { before: merged }, merged],
  ['it was measured', { before: measured, requests: [request({ isOver: true, prLink: url })] }, measured],
  [
    'it was measured, and someone asked again',
    { before: measured, requests: [request({ comment: 99 })] },
    { is: 'asked', by: 'mona' },
  ],
]

describe('a suggestion', () => {
  it.each(situations)(
    'the state of a suggestion follows from what was found: %s',
    (_, { before, requests = [], dismissals = [], pull }, state) => {
      const known: KnownSuggestion[] = [suggestion({ ...(before && { state: before }) })]
      const pulls = new Map(pull === undefined ? [] : [[url, pull]])
      expect(withStates(known, requests, dismissals, pulls)).toEqual([suggestion({ state })])
    },
  )

  it('a suggestion is not changed by comments about another one', () => {
    const others = [request({ key: 's-aaaaaa', prLink: url })]
    expect(withStates([suggestion()], others, [{ ...dismissal(9), key: 's-aaaaaa' }], new Map())).toEqual([
      suggestion(),
    ])
    expect(pullsToRead([suggestion()], others, [])).toEqual([])
  })

  it('the pull request of a dismissed suggestion is not read', () => {
    expect(pullsToRead([suggestion()], [request({ prLink: url })], [dismissal(21)])).toEqual([])
  })

  it("a suggestion's pull request is read once if several requests name it, and not after it is merged", () => {
    const requests = [request({ prLink: url }), request({ comment: 21, prLink: url })]
    expect(pullsToRead([suggestion()], requests, [])).toEqual([url])
    expect(pullsToRead([suggestion({ state: merged })], requests, [])).toEqual([])
    expect(pullsToRead([suggestion({ state: measured })], [], [])).toEqual([])
  })
})

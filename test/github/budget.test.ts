/** When a step stops because of GitHub's limits. */
import { expect, it } from 'vitest'
import { createBudget } from '../../src/github/budget.ts'

const url = 'https://api.github.com/repos/acme/docs'
const responseOf = (headers: Record<string, string>, status = 200) =>
  ({ type: 'response', status, headers, text: '' }) as const
const left = (resource: string, remaining: number) =>
  responseOf({ 'x-ratelimit-resource': resource, 'x-ratelimit-remaining': `${remaining}` })

it.each([
  ['nothing is known', true, []],
  ['exactly half is left afterwards', true, [left('core', 299), left('core', 160)]],
  ['less than half is left afterwards', false, [left('core', 299), left('core', 159)]],
  ['only GraphQL has less than half', false, [left('core', 299), left('graphql', 99), left('graphql', 50)]],
  ['the limits of REST and GraphQL differ', true, [left('core', 4999), left('graphql', 299)]],
  ['the limit was reset', true, [left('core', 30), left('core', 999)]],
  ['less than half is left since a reset', false, [left('core', 30), left('core', 999), left('core', 400)]],
])('a step that needs ten requests has room for them if %s: %s', (_, hasRoom, responses) => {
  const budget = createBudget()
  for (const response of responses) budget.count({ method: 'GET', url }, response, false)
  expect(budget.room() >= 10).toBe(hasRoom)
})

it('a step has no room once it has posted 400 comments, or met a limit', () => {
  const [commented, limited] = [createBudget(), createBudget()]
  const post = () =>
    commented.count({ method: 'POST', url: `${url}/issues/7/comments` }, responseOf({}, 201), false)
  for (let count = 1; count < 400; count++) post()
  expect(commented.room()).toBe(Number.POSITIVE_INFINITY)
  post()
  expect(commented.room()).toBe(0)
  limited.count({ method: 'GET', url }, responseOf({}, 403), true)
  expect(limited.room()).toBe(0)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { whySecretsAreWithheld } from '../../../src/core/trigger/event.ts'

const from = (head: unknown, base: unknown = 'acme/docs') => ({
  pull_request: {
    number: 1,
    title: '',
    html_url: '',
    head: { ref: 'x', sha: 'x', repo: head === null ? null : { full_name: head } },
    base: { ref: 'x', sha: 'x', repo: { full_name: base } },
  },
})

describe('secrets', () => {
  it.each([
    ['pull_request', 'octocat', from('mallory/docs'), 'fork'],
    ['pull_request', 'octocat', from(null), 'fork'],
    ['pull_request_review', 'octocat', from('mallory/docs'), 'fork'],
    ['pull_request_review_comment', 'octocat', from('mallory/docs'), 'fork'],
    ['pull_request', 'dependabot[bot]', from('acme/docs'), 'Dependabot'],
    ['pull_request_review', 'dependabot[bot]', from('acme/docs'), 'Dependabot'],
  ])('the event %j by %j gets no secrets with the payload %j: %s', (name, actor, payload, why) => {
    expect(whySecretsAreWithheld({ name, actor, payload })).toContain(why)
  })

  it.each([
    ['pull_request', 'octocat', from('acme/docs')],
    ['pull_request_target', 'octocat', from('mallory/docs')],
    ['push', 'octocat', { ref: 'refs/heads/main' }],
    ['push', 'dependabot[bot]', { ref: 'refs/heads/main' }],
    ['push', 'octocat', from('mallory/docs')],
    ['issue_comment', 'octocat', { issue: { pull_request: {} } }],
    ['pull_request', 'dependabot', from('acme/docs')],
    ['pull_request', 'octocat', undefined],
    ['pull_request', 'octocat', { pull_request: null }],
    ['', '', undefined],
  ])('the event %j by %j gets secrets with the payload %j', (name, actor, payload) => {
    expect(whySecretsAreWithheld({ name, actor, payload })).toBeUndefined()
  })

  it('checking whether secrets are withheld never throws, whatever the payload is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('pull_request', 'push', 'workflow_dispatch'),
        fc.jsonValue(),
        (name, payload) => {
          expect(whySecretsAreWithheld({ name, actor: 'octocat', payload })).toBeUndefined()
        },
      ),
    )
  })
})

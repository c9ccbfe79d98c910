import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commit } from '../../../sandbox/github/commits.ts'
import {
  dispatched,
  issue,
  issueComment,
  type PullRequestEventOptions,
  type PushOptions,
  pullRequest,
  pushed,
  releasePublished,
  reviewComment,
  reviewSubmitted,
} from '../../../sandbox/payloads.ts'
import { fail, skip } from '../../../src/core/outcome.ts'
import { isCausedBy, newChange, type Range, rangeText } from '../../../src/core/trigger/change.ts'
import {
  accountOf,
  parseEvent,
  type RawEvent,
  whySecretsAreWithheld,
} from '../../../src/core/trigger/event.ts'
import { readTrigger, type TriggerRules } from '../../../src/core/trigger/trigger.ts'
import { explain } from '../../../src/say/problems.ts'
import { hostileText, rowsOf } from '../samples.ts'

const agent = 'mintlify[bot]'
const rules = { command: '/docs', label: 'doCs', agentLogin: agent }
const read = (event: RawEvent, more: Partial<TriggerRules> = {}) =>
  readTrigger(parseEvent(event), { ...rules, ...more })
const event = (name: string, payload: unknown = {}, actor = 'mona') => ({ name, actor, payload })

describe('a command', () => {
  it.each([
    ['/docs fix a.md, please', ' fix a.md, please'],
    ['/docs\nfix it\nand that', '\nfix it\nand that'],
    ['/docs   ', ''],
    ['/docs /docs', ' /docs'],
    ['/Docs\tfix it', '\tfix it'],
    ...[':', ',', '.', '!', '?', ';', '!!'].map((sign) => [`/docs${sign} fix it`, ' fix it']),
    ...['：', '，', '、', '。', '！', '？', '；', '—', '\u200b', ';\u2060', '\ufe0f：', '。\u200b!'].flatMap(
      (sign) => [
        [`/docs${sign}fix it`, 'fix it'],
        [`/docs${sign} fix it`, ' fix it'],
      ],
    ),
    ['/docs\u3000修正', '\u3000修正'],
    ['/docs?', ''],
    ['/docs。', ''],
    ['   /docs fix it', ' fix it'],
    ['\n \r\n/docs fix it', ' fix it'],
    ['\ufeff/docs fix it', ' fix it'],
    ['\u200b\n \u2060 \u00a0/docs fix it', ' fix it'],
  ])('a command is recognized in %j', (body, instruction) => {
    expect(read(issueComment({ body }), { command: '/DOCS' })).toMatchObject({
      kind: 'thread',
      request: { instruction },
    })
  })

  it.each([
    ...['> /docs x', '```\n/docs x\n```', '    /docs x', '\n    /docs x', '`/docs` x', 'x /docs x', ''],
    ...['/docs-old x', '/docsfix', '/docs:fix', '/docs;fix', '/docs.example.com', '/docs–fix', '／docs fix'],
    ...['<!-- x -->/docs x', '\u200b> /docs x', '\u200b    /docs x', '/d\u200bocs x', '：/docs x'],
  ])('a command is not recognized in %j', (body) => {
    expect(read(issueComment({ body }))).toEqual(
      skip({ kind: 'other-text', subject: 'comment', command: '/docs' }),
    )
  })

  it.each([
    ...['issue_comment', 'pull_request_review_comment', 'pull_request_review', 'commit_comment'],
    'discussion_comment',
  ])('a step without a command fails on %s', (name) => {
    expect(read(event(name), { command: null })).toEqual(fail({ kind: 'no-command', event: name }))
  })
})

const onIssue = (more: Parameters<typeof issue>[0] = {}) => issue({ action: 'labeled', ...more })
const onPull = (more: PullRequestEventOptions = {}) => pullRequest({ action: 'labeled', ...more })

const before = commit({ files: { a: '1\n' }, message: 'First' })
const after = commit({ parents: [before], files: { a: '2\n' }, message: 'Second\n\nAt length.' })
const byAgent = commit({ parents: [before], files: { a: '3\n' }, message: 'Docs', author: agent })
const merge = commit({ parents: [after, byAgent], message: 'Merge pull request #101' })
const push = (more: PushOptions = {}) => pushed({ before, after, ...more })
const upstream = (more: object = {}) => {
  const run = { id: 5, event: 'push', conclusion: 'success', head_sha: 'a'.repeat(40), head_branch: 'main' }
  return event('workflow_run', {
    repository: { id: 1, full_name: 'acme/app' },
    workflow_run: { ...run, head_repository: { id: 1 }, actor: { login: 'mona' }, ...more },
  })
}

/** A label's event with a payload that lacks the pull request's repositories. */
function nameless(): RawEvent {
  const { payload, ...rest } = onPull()
  const { pull_request: sides } = payload as { pull_request: { head: object; base: object } }
  for (const side of [sides.head, sides.base]) Object.assign(side, { repo: null })
  return { ...rest, payload }
}

/** A dismissed review. GitHub does not always say when it was submitted. */
function dismissed(): RawEvent {
  const event = reviewSubmitted({ action: 'dismissed' })
  Object.assign((event.payload as { review: object }).review, { submitted_at: null })
  return event
}

/** What an event asks for, on one line. */
function said(each: RawEvent): string {
  const trigger = read(each)
  if ('problem' in trigger) return explain(trigger.problem).what
  const change = trigger.kind === 'event' ? trigger.change : null
  if (change === null) return JSON.stringify({ ...trigger, kind: undefined })
  const { head, branch, number, isOpen, author, isTag, upstreamRun } = change
  const short = (sha: string | null) => sha?.slice(0, 10)
  const pulls = number === null ? '' : ` of ${isOpen ? 'open' : 'merged'} #${number}`
  const run = upstreamRun === null ? '' : ` after run ${upstreamRun}`
  return `${rangeText(change)}${pulls} on ${branch}, head ${short(head)}, by ${author}${run}${isTag ? ': a tag' : ''}`
}

describe('a change', () => {
  it('each event asks for what this table says', () => {
    const repository = { id: 1, full_name: 'acme/docs', default_branch: 'trunk' }
    const manual = (ref: string) => event('workflow_dispatch', { ref, repository })
    const release = { tag_name: 'v2', name: null, body: 'Breaks things' }
    const fork = { repository: 'eve/app' }
    const events: [string, RawEvent][] = [
      ['a push', push()],
      ['a push to a branch with slashes', push({ ref: 'refs/heads/a/b' })],
      ['the first push of a repository', push({ before: null })],
      ['a new branch', push({ before: null, ref: 'refs/heads/x' })],
      ['a push by a bot', push({ pusher: 'renovate[bot]' })],
      ['a tag', pushed({ ref: 'refs/tags/v1', after })],
      ['a deleted branch', pushed({ ref: 'refs/heads/topic', before })],
      ['a deleted tag', push({ ref: 'refs/tags/v1', after: null })],
      ['a merge queue', pushed({ ref: 'refs/heads/gh-readonly-queue/main/pr-1', after })],
      ['a pull request', pullRequest()],
      ['a merged pull request', pullRequest({ action: 'closed', merged: after })],
      ['a closed pull request', pullRequest({ action: 'closed' })],
      ["a fork's pull request", pullRequest({ head: fork })],
      ['a pull request of a fork that is gone', pullRequest({ head: { repository: null } })],
      ["a fork's merged pull request", pullRequest({ action: 'closed', merged: after, head: fork })],
      ['an upstream run of a push', upstream()],
      ['an upstream run of a pull request', upstream({ event: 'pull_request' })],
      ['an upstream run of a comment', upstream({ event: 'issue_comment' })],
      ["an upstream run of a fork's code", upstream({ head_repository: { id: 2 } })],
      ['an upstream run of a deleted fork', upstream({ head_repository: null })],
      ['an upstream run that failed', upstream({ conclusion: 'failure' })],
      ['an upstream run without an end', upstream({ conclusion: null })],
      ['a schedule', event('schedule', { repository })],
      ['a schedule without a repository', event('schedule')],
      ['a manual run of the default branch', manual('refs/heads/trunk')],
      ['a manual run of another branch', manual('refs/heads/topic')],
      ['a manual run of a tag', manual('refs/tags/trunk')],
      ['a dispatch', event('repository_dispatch')],
      ['a published release', event('release', { action: 'published', release })],
      ['an edited release', event('release', { action: 'edited', release })],
      ['pull_request_target', { ...pullRequest(), name: 'pull_request_target' }],
      ['a command in a comment', issueComment()],
      ['a command on a line', reviewComment({ id: 5 })],
      ['a command in a reply on a line', reviewComment({ id: 5 }, { in_reply_to_id: 3 })],
      ['a command in a review', reviewSubmitted({ id: 5, sender: 'rita', head: 'abc' })],
      ['a label on an issue', onIssue({ sender: 'mona', label: 'Docs' })],
      ['a label on a pull request', onPull({ sender: 'mona' })],
      ['an edited comment', issueComment({ action: 'edited' })],
      ['a deleted comment', issueComment({ action: 'deleted' })],
      ['an edited review', reviewSubmitted({ action: 'edited' })],
      ['a dismissed review', dismissed()],
      ['a review without words', reviewSubmitted({ body: null })],
      ['a review whose author is gone', reviewSubmitted({ author: null })],
      ["a review on a fork's pull request", reviewSubmitted({ fork: 'eve/docs' })],
      ['another label', onIssue({ label: 'bug' })],
      ["a label on a fork's pull request", onPull({ head: fork })],
      ['a label on a pull request whose fork is gone', onPull({ head: { repository: null } })],
      ['a label on a pull request that names no repository', nameless()],
      ['a label that was removed', issue({ action: 'unlabeled' })],
      ['an issue that was opened', issue({ action: 'opened' })],
      ...['commit_comment', 'discussion_comment', 'discussion', 'status', 'constructor', ''].map(
        (name): [string, RawEvent] => [name, event(name)],
      ),
    ]
    expect(events.map(([name, each]) => `${name}: ${said(each)}`).join('\n')).toMatchInlineSnapshot(`
      "a push: 798f8aced4…6b393e02d1 on main, head 6b393e02d1, by mona
      a push to a branch with slashes: 798f8aced4…6b393e02d1 on a/b, head 6b393e02d1, by mona
      the first push of a repository: commit 6b393e02d1 on main, head 6b393e02d1, by mona
      a new branch: main…6b393e02d1 on x, head 6b393e02d1, by mona
      a push by a bot: 798f8aced4…6b393e02d1 on main, head 6b393e02d1, by renovate[bot]
      a tag: main…6b393e02d1 on v1, head 6b393e02d1, by mona: a tag
      a deleted branch: Skipped: topic was deleted.
      a deleted tag: Skipped: v1 was deleted.
      a merge queue: Skipped: the merge queue is only testing the change.
      a pull request: pull request #12, at bbbbbbbbbb of open #12 on main, head bbbbbbbbbb, by mona
      a merged pull request: pull request #12, at 6b393e02d1 of merged #12 on main, head 6b393e02d1, by mona
      a closed pull request: Skipped: it was closed without being merged.
      a fork's pull request: Skipped: a fork's pull request starts nothing.
      a pull request of a fork that is gone: Skipped: a fork's pull request starts nothing.
      a fork's merged pull request: Skipped: a fork's pull request starts nothing.
      an upstream run of a push: commit aaaaaaaaaa on main, head aaaaaaaaaa, by mona after run 5
      an upstream run of a pull request: commit aaaaaaaaaa on main, head aaaaaaaaaa, by mona after run 5
      an upstream run of a comment: Skipped: the upstream run was started by issue_comment.
      an upstream run of a fork's code: Skipped: the upstream run was for a fork's code.
      an upstream run of a deleted fork: Skipped: the upstream run was for a fork's code.
      an upstream run that failed: Skipped: the upstream run did not succeed.
      an upstream run without an end: Skipped: the upstream run did not succeed.
      a schedule: {"change":null,"release":null,"branch":{"name":"trunk","isDefault":true}}
      a schedule without a repository: {"change":null,"release":null,"branch":{"name":"the default branch","isDefault":true}}
      a manual run of the default branch: {"change":null,"release":null,"branch":{"name":"trunk","isDefault":true}}
      a manual run of another branch: {"change":null,"release":null,"branch":{"name":"topic","isDefault":false}}
      a manual run of a tag: {"change":null,"release":null,"branch":{"name":"trunk","isDefault":false}}
      a dispatch: {"change":null,"release":null,"branch":null}
      a published release: {"change":null,"release":{"tag":"v2","name":"","notes":"Breaks things"},"branch":null}
      an edited release: Skipped: the release was edited, not published.
      pull_request_target: The step does not run on \`pull_request_target\`, which gives secrets to runs for forks.
      a command in a comment: {"thread":{"repository":"acme/docs","repositoryId":"240523452","number":7,"isPullRequest":false,"reviewRoot":null},"title":"The install page","body":"It is wrong.","url":"https://github.com/acme/docs/issues/7#issuecomment-1001","openedBy":"mona","request":{"id":1001,"instruction":" fix the install page","kind":"comment","location":null},"requesters":[{"login":"mona","id":233851408,"isBot":false},{"login":"mona","id":233851408,"isBot":false}]}
      a command on a line: {"thread":{"repository":"acme/docs","repositoryId":"240523452","number":7,"isPullRequest":true,"reviewRoot":5},"title":"Install globally","body":"The command is global now.","url":"https://github.com/acme/docs/pull/7#discussion_r5","openedBy":"mona","request":{"id":5,"instruction":" fix the install page","kind":"comment","location":{"path":"docs/install.md","line":12,"hunk":"@@ -10,3 +10,3 @@\\n-old\\n+new"}},"requesters":[{"login":"mona","id":233851408,"isBot":false},{"login":"mona","id":233851408,"isBot":false}]}
      a command in a reply on a line: {"thread":{"repository":"acme/docs","repositoryId":"240523452","number":7,"isPullRequest":true,"reviewRoot":3},"title":"Install globally","body":"The command is global now.","url":"https://github.com/acme/docs/pull/7#discussion_r5","openedBy":"mona","request":{"id":5,"instruction":" fix the install page","kind":"comment","location":{"path":"docs/install.md","line":12,"hunk":"@@ -10,3 +10,3 @@\\n-old\\n+new"}},"requesters":[{"login":"mona","id":233851408,"isBot":false},{"login":"mona","id":233851408,"isBot":false}]}
      a command in a review: {"thread":{"repository":"acme/docs","repositoryId":"240523452","number":7,"isPullRequest":true,"reviewRoot":null},"title":"Install globally","body":"The command is global now.","url":"https://github.com/acme/docs/pull/7#pullrequestreview-5","openedBy":"mona","request":{"id":5,"instruction":" fix the install page","kind":"review","submittedAt":1793613600000},"requesters":[{"login":"mona","id":233851408,"isBot":false},{"login":"rita","id":117311224,"isBot":false}]}
      a label on an issue: {"thread":{"repository":"acme/docs","repositoryId":"240523452","number":7,"isPullRequest":false,"reviewRoot":null},"title":"The install page","body":"It is wrong.","url":"https://github.com/acme/docs/issues/7","openedBy":"mona","request":{"kind":"label","label":"Docs"},"requesters":[{"login":"mona","id":233851408,"isBot":false}]}
      a label on a pull request: {"thread":{"repository":"acme/app","repositoryId":"87182702","number":12,"isPullRequest":true,"reviewRoot":null},"title":"Add a flag","body":"","url":"https://github.com/acme/app/pull/12","openedBy":"mona","request":{"kind":"label","label":"docs"},"requesters":[{"login":"mona","id":233851408,"isBot":false}]}
      an edited comment: Skipped: the comment was edited, not created.
      a deleted comment: Skipped: the comment was deleted, not created.
      an edited review: Skipped: the review was edited, not submitted.
      a dismissed review: Skipped: the review was dismissed, not submitted.
      a review without words: Skipped: the review does not start with /docs.
      a review whose author is gone: Skipped: the review's author is gone.
      a review on a fork's pull request: Skipped: reviews on a fork's pull request start nothing.
      another label: Skipped: the label “bug” was added, not “doCs”.
      a label on a fork's pull request: Skipped: labels on a fork's pull request start nothing.
      a label on a pull request whose fork is gone: Skipped: labels on a fork's pull request start nothing.
      a label on a pull request that names no repository: Skipped: labels on a fork's pull request start nothing.
      a label that was removed: Skipped: the step acts only when its label is added.
      an issue that was opened: Skipped: the step acts only when its label is added.
      commit_comment: Skipped: commands are not read from commit_comment.
      discussion_comment: Skipped: commands are not read from discussion_comment.
      discussion: Skipped: the event discussion starts nothing.
      status: Skipped: the event status starts nothing.
      constructor: Skipped: the event constructor starts nothing.
      : Skipped: the event without a name starts nothing."
    `)
  })

  it('an event without a label or command in the inputs starts nothing', () => {
    expect(read(onIssue({ sender: 'mona' }), { label: null })).toMatchObject({ outcome: 'skipped' })
    const line = reviewComment({ id: 5 })
    // GitHub can send null for a field that it documents as optional.
    Object.assign((line.payload as { comment: object }).comment, { in_reply_to_id: null })
    expect(read(line)).toMatchObject({ thread: { reviewRoot: 5 } })
  })

  it('a change has at most fifty subjects, each on one line', () => {
    const hostile = commit({ message: `x\u202e ${'y'.repeat(300)}\n\nbody` })
    const reading = read(push({ commits: Array.from({ length: 60 }, () => hostile) }))
    const { subjects = [] } = (reading.kind === 'event' && reading.change) || {}
    expect(subjects).toHaveLength(50)
    expect(subjects[0]).toMatch(/^x\\u\{202E\} y{189}…$/)
    const windows = read(push({ commits: [commit({ message: 'Fix it\r\n\r\nbody' })] }))
    expect(windows).toMatchObject({ change: { subjects: ['Fix it'] } })
  })

  const mine = [
    ...[push({ pusher: agent }), push({ pusher: agent, sender: 'mona' }), push({ pusher: 'Mintlify[bot]' })],
    ...[
      pullRequest({ user: agent, merged: merge, sender: 'mona' }),
      pullRequest({ action: 'synchronize', sender: agent }),
    ],
    ...[
      upstream({ actor: { login: agent } }),
      releasePublished({ sender: agent }),
      dispatched({ sender: agent }),
    ],
  ]
  /** A commit's author can be forged, and a merge takes a request to GitHub to check. */
  const others = [
    ...[push({ commits: [byAgent] }), push({ commits: [commit({ author: null })] }), push({ after: merge })],
    ...[pullRequest(), pullRequest({ user: 'mintlify' }), upstream(), event('schedule')],
  ]
  it("an event starts nothing if and only if it pushes or merges the agent's own work", () => {
    for (const each of [...mine, ...others]) {
      expect(isCausedBy(parseEvent(each), 'Mintlify[bot]'), JSON.stringify(each)).toBe(mine.includes(each))
      const isChange = ['push', 'pull_request', 'workflow_run'].includes(each.name)
      if (isChange) expect(read(each).kind).toBe(mine.includes(each) ? 'stop' : 'event')
    }
  })
})

describe('an event', () => {
  const acted: Record<string, string> = {
    issues: 'labeled',
    issue_comment: 'created',
    pull_request_review_comment: 'created',
    pull_request_review: 'submitted',
  }
  it.each(['push', 'pull_request', 'workflow_run', 'release', ...Object.keys(acted)])(
    'an undocumented payload of %s is rejected, and never throws',
    (name) => {
      const fields = fc.dictionary(
        fc.constantFrom('action', 'sender', 'repository', 'release', 'ref', 'label', '__proto__'),
        fc.oneof(fc.constantFrom('labeled', 'created'), fc.anything()),
      )
      fc.assert(
        fc.property(fc.oneof(fc.anything(), fields, fc.constant({ action: 'labeled' })), (payload) => {
          const parsed = parseEvent(event(name, payload))
          const { action } = parsed.payload
          const isIgnored = name in acted && action !== undefined && action !== acted[name]
          const problem = { kind: isIgnored ? 'skipped' : 'thin-payload' }
          expect(readTrigger(parsed, rules)).toMatchObject({ kind: 'stop', problem })
          expect(isCausedBy(parsed, agent)).toBe(false)
          expect(whySecretsAreWithheld(parsed)).toBeUndefined()
        }),
      )
    },
  )

  const whole: Record<string, RawEvent> = {
    push: push(),
    opened: pullRequest(),
    labeled: onPull({ sender: 'mona' }),
    issue: onIssue({ sender: 'mona' }),
    comment: issueComment(),
    line: reviewComment(),
    review: reviewSubmitted(),
    upstream: upstream(),
    release: releasePublished(),
    manual: dispatched(),
  }
  it.each(
    rowsOf(`
      push     | repository ref before after repository.full_name repository.id
      opened   | repository pull_request action pull_request.head pull_request.base.sha
      labeled  | repository pull_request label label.name
      issue    | repository issue label issue.title
      comment  | repository issue comment action comment.id issue.number
      line     | repository pull_request comment comment.html_url
      review   | repository pull_request review review.submitted_at
      upstream | repository workflow_run workflow_run.head_sha
      release  | release action release.tag_name
      manual   | repository.full_name
    `),
  )('the error about a thin event (%s) names the first field that it lacks: %s', (name = '', paths = '') => {
    const { name: event = '', ...rest } = whole[name] ?? push()
    for (const path of paths.split(' ')) {
      const payload = structuredClone(rest.payload) as Record<string, Record<string, object>>
      const [field = '', ...inner] = path.split('.')
      const last = inner.pop()
      const parent = [field, ...inner].reduce((each, key) => each[key] as typeof payload, payload)
      delete (last === undefined ? payload : parent)[last ?? field]
      expect(said({ ...rest, name: event, payload })).toBe(`The event \`${event}\` has no \`${path}\`.`)
    }
  })

  it("an event's repository has the run's name for it, and must have an ID", () => {
    expect(parseEvent(push(), '', 'acme/handbook').home.repository).toBe('acme/handbook')
    expect(parseEvent(event('schedule', {}), '', 'acme/app').gap).toBe('repository.id')
  })

  it('an event without a payload lacks the first field that it needs', () => {
    expect(said(event('push', undefined))).toBe('The event `push` has no `repository`.')
  })

  const payloads: Record<string, unknown> = {
    "a fork's": pullRequest({ head: { repository: 'mallory/docs' } }).payload,
    "a gone fork's": pullRequest({ head: { repository: null } }).payload,
    own: pullRequest().payload,
    pushed: push().payload,
    commented: { issue: { pull_request: {} } },
    empty: {},
  }
  it.each(
    rowsOf(`
      pull_request                | octocat         | a fork's      | fork
      pull_request                | octocat         | a gone fork's | fork
      pull_request_review         | octocat         | a fork's      | fork
      pull_request_review_comment | octocat         | a fork's      | fork
      pull_request                | octocat         | own           |
      pull_request                | octocat         | empty         |
      pull_request_target         | octocat         | a fork's      |
      push                        | octocat         | a fork's      |
      issue_comment               | octocat         | commented     |
      pull_request                | dependabot[bot] | own           | dependabot
      pull_request_review         | dependabot[bot] | own           | dependabot
      pull_request_review_comment | dependabot[bot] | own           | dependabot
      push                        | dependabot[bot] | pushed        | dependabot
      create                      | dependabot[bot] | empty         | dependabot
      deployment                  | dependabot[bot] | empty         | dependabot
      deployment_status           | dependabot[bot] | empty         | dependabot
      issue_comment               | dependabot[bot] | commented     |
      pull_request_target         | dependabot[bot] | own           |
      schedule                    | dependabot[bot] | empty         |
      push                        | dependabot      | pushed        |
      push                        | renovate[bot]   | pushed        |
    `),
  )(
    'the reason why the event %s by %s (%s) gets no secrets is “%s”',
    (name = '', actor, payload = '', why) => {
      const withheld = whySecretsAreWithheld(parseEvent(event(name, payloads[payload], actor)))
      expect(withheld).toBe(why || undefined)
    },
  )

  it('an event of a push has all of its commits', () => {
    const commits = Array.from({ length: 25 }, (_, at) => commit({ message: `${at}` }))
    expect(read(push({ commits }))).toMatchObject({ change: { commits: commits.map(({ sha }) => sha) } })
  })

  // Copilot's account has no suffix.
  it.each([
    ['Copilot', 'Bot', true],
    ['renovate[bot]', 'Bot', true],
    ['my[bot]', 'User', false],
    ['acme', 'Organization', false],
  ])('an event by %s (%s) is by a bot: %s', (login, type, isBot) => {
    expect(accountOf({ login, type })?.isBot).toBe(isBot)
    expect(accountOf({ login })?.isBot).toBeNull()
  })

  it("a range's name is on one line", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (base, head) => {
        const range: Range = { by: 'compare', base, head }
        const change = newChange({ repository: 'acme/app', repositoryId: '1', head, branch: 'main', range })
        expect(rangeText(change)).not.toMatch(/[\n\r\u2028]/)
      }),
    )
  })
})

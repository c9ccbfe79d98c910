/** The page with the double's threads. */
import { expect, it } from 'vitest'
import type { SandboxComment, SandboxReaction } from '../../sandbox/github/threads.ts'
import { postsOf, renderThreads } from '../../sandbox/threads-page.ts'

const now = Date.parse('2026-11-02T10:05:00Z')
const comment = (more: Partial<SandboxComment>): SandboxComment => ({
  id: 1,
  thread: { number: 7, reviewRoot: null },
  body: '/docs fix it',
  user: 'mona',
  edits: 0,
  createdAt: '2026-11-02T10:00:00Z',
  updatedAt: '2026-11-02T10:00:00Z',
  ...more,
})
const eyes: SandboxReaction = {
  id: 9,
  commentId: 1,
  issue: null,
  content: 'eyes',
  user: 'github-actions[bot]',
  createdAt: '2026-11-02T10:00:01Z',
}

/** The page's text, a line for each element; reactions and avatars included. */
async function linesOf(comments: SandboxComment[], reactions: SandboxReaction[] = []): Promise<string[]> {
  const html = await renderThreads(postsOf({ comments, reactions }), now)
  return (html.split('<body>')[1] ?? '')
    .replace(/<[^>]*>/g, '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

it('shows who wrote what and when, and reactions under their comment', async () => {
  const result = comment({ id: 2, user: 'github-actions[bot]', body: '**Done.**', edits: 1 })
  const lines = await linesOf([comment({}), result], [eyes])
  const opening = ['The install page is wrong', '#7', 'Open', 'M', 'mona', '5 minutes ago']
  expect(lines.slice(0, opening.length)).toEqual(opening)
  expect(lines.slice(lines.indexOf('/docs fix it') - 3)).toEqual([
    ...['M', 'mona', '5 minutes ago', '/docs fix it', '👀 1'],
    ...['G', 'github-actions', 'bot', '5 minutes ago · edited', 'Done.'],
  ])
})

it('hides outdated comments, and gives each thread its title', async () => {
  const onPull = { number: 101, reviewRoot: null }
  const lines = await linesOf([comment({ thread: onPull, minimizedReason: 'outdated' })])
  expect(lines).not.toContain('/docs fix it')
  expect(lines).toContain('This comment was marked as outdated.')
  expect(lines.slice(0, 2)).toEqual(['Say how to install globally', '#101'])
})

it('shows names and text as text', async () => {
  const page = await renderThreads(
    postsOf({ comments: [comment({ user: '<b>eve', body: '<script>alert(1)</script>' })], reactions: [] }),
    now,
  )
  expect(page).not.toMatch(/<b>eve|<script/)
})

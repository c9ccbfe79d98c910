/** The requests that mode settle makes, counted at the servers. */
import { demoPullRequest, demoRepository, repository } from '../sandbox/demo.ts'
import { sandboxGitHubToken, startGitHub } from '../sandbox/github/server.ts'
import { issueComment, scheduled } from '../sandbox/payloads.ts'
import { sandboxKey, startPlatform } from '../sandbox/platform/server.ts'
import { runStep } from '../sandbox/runner/step.ts'
import type { WorkflowEvent } from '../src/core/trigger/event.ts'

export interface SettleRequests {
  github: number
  platform: number
  settled: string
}

/** Settles so many commands on threads of their own: once while their jobs are active, and once when the first one has ended. */
export async function measureSettle(
  count: number,
): Promise<{ active: SettleRequests; ended: SettleRequests }> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const asked = numbers.map((number) => ({
    id: 1000 + number,
    thread: { number, reviewRoot: null },
    body: '/docs fix it',
    user: 'mona',
  }))
  const hub = await startGitHub({
    repository,
    repositories: [demoRepository()],
    comments: asked,
    roles: { mona: { permission: 'write', role_name: 'write' } },
  })
  const platform = await startPlatform({ readsUntilEnd: 1 })
  const account = { 'project-id': 'sandbox-docs', 'api-key': sandboxKey, 'base-url': platform.url }
  const run = ({ name, payload }: WorkflowEvent, inputs: Record<string, string>) =>
    runStep({
      with: { ...account, command: '/docs', ...inputs },
      githubToken: sandboxGitHubToken,
      eventName: name,
      event: payload,
      env: { GITHUB_API_URL: hub.url, GITHUB_REPOSITORY: repository },
    })
  const measure = async (event: WorkflowEvent): Promise<SettleRequests> => {
    const before = [hub.requests.length, platform.requests.length] as const
    const { outputs } = await run(event, { mode: 'settle' })
    return {
      github: hub.requests.length - before[0],
      platform: platform.requests.length - before[1],
      settled: outputs.settled ?? '',
    }
  }
  try {
    for (const number of numbers)
      await run(issueComment({ id: 1000 + number, number, body: '/docs fix it' }), { wait: 'false' })
    const active = await measure(scheduled(repository))
    // Young jobs are left to the events of their pull requests, so this one reports one job.
    return { active, ended: await measure(demoPullRequest()) }
  } finally {
    await platform.close()
    await hub.close()
  }
}

/** A world for pushes: a GitHub server with the repository, and the platform. */
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { stepOn } from '../../sandbox/demo.ts'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository, type RepositoryOptions } from '../../sandbox/github/repository.ts'
import { type GitHubOptions, startGitHub } from '../../sandbox/github/server.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { onTestFinished } from '../running.ts'
import { inputsFor, platformFor } from '../service.ts'
import { opensIn } from './agent-pulls.ts'

export const prompt = 'Update the docs'

export const first = commit({
  message: 'First',
  files: { 'src/install.ts': 'old\n', 'package-lock.json': '1\n' },
})
export const second = commit({
  parents: [first],
  message: 'Install globally\n\nAt length.',
  files: { 'src/install.ts': 'new\n', 'package-lock.json': '2\n' },
})

export interface Setting {
  name?: string
  repository?: Partial<RepositoryOptions>
  github?: GitHubOptions
  platform?: PlatformOptions
}

/** Creates the world. @param runStep runs a step in this process or as the bundle */
export async function createWorld<Run>(
  { name = 'acme/docs', repository, github, platform }: Setting,
  runStep: (options: StepOptions) => Promise<Run>,
) {
  const home = new Repository({ name, branches: { main: second }, ...repository })
  const hub = await startGitHub({ repository: name, repositories: [home], ...github })
  onTestFinished(() => hub.close())
  const service = await platformFor({ readsUntilEnd: 1, opens: opensIn(home), ...platform })
  const run = (
    event: WorkflowEvent,
    inputs: Record<string, string> = {},
    env: Record<string, string> = {},
  ) => {
    const step = stepOn(event, hub.url)
    return runStep({
      with: { ...inputsFor(service.url), prompt, ...inputs },
      ...step,
      env: { ...step.env, GITHUB_REPOSITORY: name, ...env },
    })
  }
  return {
    hub,
    service,
    run,
    home,
    /** The action's comments on a thread. */
    written: (number: number) =>
      hub.comments.filter(({ thread, user }) => thread.number === number && user === 'github-actions[bot]'),
    /** Everything that the action writes, except commit statuses and GraphQL calls. */
    writes: () =>
      hub.requests.filter(({ method, path }) => method !== 'GET' && !/\/(statuses\/|graphql)/.test(path)),
    prompts: () => [...service.jobs.values()].map((job) => job.prompt),
  }
}

/** The contents of the top-level code blocks. */
export function codeBlocks(markdown: string): string[] {
  const { children } = unified().use(remarkParse).parse(markdown)
  return children.flatMap((node) => (node.type === 'code' ? [node.value] : []))
}

/** What every run of a step needs, in one process or as the bundle: a platform, inputs for it, a job. */
import { accountOn, type Platform, type PlatformOptions, startPlatform } from '../sandbox/platform/server.ts'
import { startProxy } from '../sandbox/proxy.ts'
import { onTestFinished } from './running.ts'

/** The inputs of every run. In mode agent, the job is polled as often as possible. */
export function inputsFor(url: string, mode = 'agent'): Record<string, string> {
  const inputs = accountOn({ url })
  return mode === 'agent' ? { ...inputs, 'poll-interval': '1s' } : inputs
}

/** A platform that closes after the test. The test fails if a response did not match the platform's description. */
export async function platformFor(options: PlatformOptions = {}): Promise<Platform> {
  const platform = await startPlatform(options)
  onTestFinished(() => platform.close())
  return platform
}

/** A proxy that closes after the test. */
export async function proxyFor() {
  const proxy = await startProxy()
  onTestFinished(() => proxy.close())
  return proxy
}

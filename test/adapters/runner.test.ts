import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { createRunner } from '../../src/adapters/runner.ts'
import { onTestFinished, temporaryFolder } from '../running.ts'

it('the runner writes no token into the log or the summary, and says that tokens were left out', async () => {
  const file = join(temporaryFolder(), 'summary.md')
  writeFileSync(file, '')
  vi.stubEnv('GITHUB_STEP_SUMMARY', file)
  const written: string[] = []
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  onTestFinished(() => {
    out.mockRestore()
    vi.unstubAllEnvs()
  })
  const token = `ghp_${'a1'.repeat(18)}`
  const runner = createRunner([])
  runner.log({ level: 'info', text: `read ${token}` })
  await runner.summary(`# Title ${token}`)
  expect(readFileSync(file, 'utf8')).toBe('# Title ghp_***')
  expect(written.join('')).toContain('read ghp_***\n')
  expect(written.join('')).toContain('Masked 1 token in the summary.')
})

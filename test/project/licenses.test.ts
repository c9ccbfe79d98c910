import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { bundledPackages, licensesOf } from '../../scripts/licenses.ts'

const at = (path: string) => ({ nameForCondition: join(projectDir, path) })

it('the packages of all modules are found, even if a module contains several', () => {
  const stats = {
    modules: [
      at('build/main.js'),
      { nameForCondition: null },
      { ...at('node_modules/@octokit/core/dist/index.js'), modules: [at('node_modules/zod/v4/core.js')] },
      { modules: [at('node_modules/a/node_modules/@b/c/index.js'), at('node_modules/zod/mini.js')] },
    ],
  }
  expect(bundledPackages(stats, projectDir)).toEqual([
    'node_modules/@octokit/core',
    'node_modules/a/node_modules/@b/c',
    'node_modules/zod',
  ])
})

it('the name, version and license text of each package are listed', () => {
  const folders = ['node_modules/undici', 'node_modules/before-after-hook', 'node_modules/@actions/core']
  const text = licensesOf(folders, projectDir)
  expect(text).toMatch(/^before-after-hook \S+ \(Apache-2\.0\)$/m)
  for (const folder of folders) expect(text).toContain(licenseText(folder))
})

function licenseText(folder: string): string {
  const file = folder.includes('@actions') ? 'LICENSE.md' : 'LICENSE'
  return readFileSync(join(projectDir, folder, file), 'utf8').trim()
}

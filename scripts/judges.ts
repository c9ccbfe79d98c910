/** `npm run judges`: installs the tools that tests ask what is right, and that not every developer needs. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judgesFolder, mermaidScript, mermaidVersions } from '../test/judges.ts'

mkdirSync(judgesFolder, { recursive: true })
for (const version of mermaidVersions) {
  const folder = mkdtempSync(join(tmpdir(), 'judge-'))
  const options = {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  } as const
  execFileSync('npm', ['pack', `mermaid@${version}`], options)
  execFileSync('tar', ['-xzf', `mermaid-${version}.tgz`, 'package/dist/mermaid.min.js'], options)
  copyFileSync(join(folder, 'package/dist/mermaid.min.js'), mermaidScript(version))
  rmSync(folder, { recursive: true })
}

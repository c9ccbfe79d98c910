/**
 * `node scripts/sbom.ts` prints the SBOM of dist/ (SPDX): those packages of `npm sbom` that are in licenses.txt.
 * `npm sbom --omit=dev` would leave out packages that development dependencies also need.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Spdx {
  packages: { name: string; versionInfo: string; SPDXID: string }[]
  relationships: { spdxElementId: string; relatedSpdxElement: string }[]
}

/** The part of npm's SBOM that is in the bundle. It is read from the lock file, so that no package's code runs. */
export function bundledSbom(root: string): Spdx {
  // With NODE_ENV=production, npm would leave out development dependencies.
  const args = ['sbom', '--package-lock-only', '--include=dev', '--sbom-format=spdx']
  const options = { cwd: root, shell: process.platform === 'win32', maxBuffer: 2 ** 26 }
  const all: Spdx = JSON.parse(String(execFileSync('npm', args, options)))
  const licenses = readFileSync(join(root, 'dist/licenses.txt'), 'utf8')
  const packages = all.packages.filter(
    ({ name, versionInfo }, at) => at === 0 || licenses.includes(`\n${name} ${versionInfo} (`),
  )
  const ids = new Set(['SPDXRef-DOCUMENT', ...packages.map(({ SPDXID }) => SPDXID)])
  const relationships = all.relationships.filter(
    ({ spdxElementId, relatedSpdxElement }) => ids.has(spdxElementId) && ids.has(relatedSpdxElement),
  )
  return { ...all, packages, relationships }
}

if (process.argv[1] === import.meta.filename)
  console.log(JSON.stringify(bundledSbom(join(import.meta.dirname, '..')), null, 2))

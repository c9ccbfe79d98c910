/**
 * `node scripts/sbom.ts` prints the SBOM of dist/ (SPDX): those packages of `npm sbom` that are in licenses.txt.
 * `npm sbom --omit=dev` would leave out packages that development dependencies also need.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface SpdxPackage {
  name: string
  versionInfo: string
  SPDXID: string
}

interface Spdx {
  packages: SpdxPackage[]
  relationships: { spdxElementId: string; relatedSpdxElement: string; relationshipType: string }[]
}

/** The part of an SBOM that is in the bundle. Throws if a bundled package is not in the SBOM. */
export function bundledSbom(all: Spdx, licenses: string): Spdx {
  const [project] = all.packages
  if (project === undefined) throw new Error('npm sbom lists nothing.')
  const bundled = bundledNames(licenses).map((name) => {
    const found = all.packages.find((each) => `${each.name} ${each.versionInfo}` === name)
    if (found === undefined) throw new Error(`npm sbom does not list ${name}, which dist/licenses.txt does.`)
    return found
  })
  const relation = (spdxElementId: string, relationshipType: string, relatedSpdxElement: string) => {
    return { spdxElementId, relatedSpdxElement, relationshipType }
  }
  return {
    ...all,
    packages: [project, ...bundled],
    relationships: [
      relation('SPDXRef-DOCUMENT', 'DESCRIBES', project.SPDXID),
      ...bundled.map(({ SPDXID }) => relation(project.SPDXID, 'CONTAINS', SPDXID)),
    ],
  }
}

/** The names and versions in dist/licenses.txt. */
export function bundledNames(licenses: string): string[] {
  return licenses
    .split(/^-{80}$/m)
    .flatMap((notice) => /^(@?[\w./-]+ \d+\.\d+\.\d+\S*) \(.+\)$/m.exec(notice)?.[1] ?? [])
}

/** npm's list of all packages. It is read from the lock file, so that no package's code runs. */
export function npmSbom(root: string): Spdx {
  // With NODE_ENV=production, npm would leave out development dependencies.
  const args = ['sbom', '--package-lock-only', '--include=dev', '--sbom-format=spdx']
  const options = { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' } as const
  return JSON.parse(execFileSync('npm', args, { ...options, maxBuffer: 2 ** 26 }))
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const licenses = readFileSync(join(root, 'dist/licenses.txt'), 'utf8')
  console.log(JSON.stringify(bundledSbom(npmSbom(root), licenses), null, 2))
}

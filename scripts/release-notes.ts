/**
 * `node scripts/release-notes.ts vX.Y.Z` prints the release's section of CHANGELOG.md. Fails if the section is missing
 * or has no date, or if package.json contains another version.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

export type Notes = { ok: true; notes: string } | { ok: false; fault: string }

export function releaseNotes(tag: string, packageVersion: string, changelog: string): Notes {
  const [, version] = /^v(\d+\.\d+\.\d+)$/.exec(tag) ?? []
  if (version === undefined)
    return { ok: false, fault: `${tag} is not a release tag. Release tags have the form vX.Y.Z.` }
  if (packageVersion !== version)
    return { ok: false, fault: `package.json has the version ${packageVersion}, not ${version}.` }
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.startsWith(`[${version}]`))
  if (section === undefined) return { ok: false, fault: `CHANGELOG.md has no section "## [${version}]".` }
  const [, heading = '', body = ''] = /^([^\n]*)\n(.*)$/s.exec(section) ?? []
  if (!/^\[[\d.]+\] - \d{4}-\d{2}-\d{2}$/.test(heading))
    return { ok: false, fault: `CHANGELOG.md has no date for ${version}: "## [${version}] - YYYY-MM-DD".` }
  // The file ends with links to versions, below the last section.
  const notes = body.replace(/^\[[^\]]+\]: .*\n?/gm, '').trim()
  return notes === '' ? { ok: false, fault: `CHANGELOG.md says nothing of ${version}.` } : { ok: true, notes }
}

if (import.meta.main) {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const result = releaseNotes(process.argv[2] ?? '', version, read('CHANGELOG.md'))
  if (result.ok) console.log(result.notes)
  else {
    console.error(result.fault)
    process.exitCode = 1
  }
}

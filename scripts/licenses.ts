/** The licenses of the packages in the bundle, from webpack's list of the modules in all chunks. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** A module in webpack's statistics. A concatenated module contains other modules. */
interface Module {
  nameForCondition?: string | null
  modules?: Module[]
}

interface Stats {
  modules: Module[]
}

/** The folders of the bundled packages, relative to the root and sorted, such as `node_modules/zod`. */
export function bundledPackages(stats: Stats, root: string): string[] {
  const paths = stats.modules.flatMap(pathsOf).map((path) => relative(root, path).replaceAll(sep, '/'))
  const folders = paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])
  return [...new Set(folders)].sort()
}

function pathsOf({ nameForCondition, modules = [] }: Module): string[] {
  return [...(nameForCondition ? [nameForCondition] : []), ...modules.flatMap(pathsOf)]
}

/** The text of licenses.txt. Throws if a package has no license file, because its notice would be missing. */
export function licensesOf(folders: readonly string[], root: string): string {
  const notices = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const files = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    if (files.length === 0) throw new Error(`${folder} is bundled and has no license file`)
    const texts = files.sort().map((file) => readFileSync(join(root, folder, file), 'utf8').trim())
    return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
  })
  const text = `This bundle contains the following packages.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`
  return text.replaceAll('\r\n', '\n')
}

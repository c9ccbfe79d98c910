import { describe, expect, it } from 'vitest'
import type { FileFault } from '../../../src/core/problem.ts'
import type { ReportFolder } from '../../../src/usecases/ports.ts'
import { writeFiles } from '../../../src/visitors/usecases/publish.ts'

const fault: FileFault = { kind: 'unwritable', input: 'report-dir', path: 'reports' }

describe('the files', () => {
  const names = ['visitors.csv', 'report.json', 'report.md']
  const files = Object.fromEntries(names.map((name) => [name, { name, chunks: [name, '!'] }]))

  /** Writes the files to a folder that rejects the file named `rejected`. */
  async function write(rejected?: string) {
    const texts: string[] = []
    const folder: ReportFolder = {
      open: async () => ({ ok: true, value: undefined }),
      async write(name, chunks) {
        texts.push([...chunks].join(''))
        return name === rejected ? { ok: false, fault } : { ok: true, value: `/reports/${name}` }
      },
    }
    return { written: await writeFiles(files, folder), texts }
  }

  it('files are written one after another, and their paths are reported', async () => {
    expect(await write()).toEqual({
      written: {
        fault: null,
        paths: {
          'visitors.csv': '/reports/visitors.csv',
          'report.json': '/reports/report.json',
          'report.md': '/reports/report.md',
        },
      },
      texts: ['visitors.csv!', 'report.json!', 'report.md!'],
    })
  })

  it.each([
    ['visitors.csv', 1, {}],
    ['report.json', 2, { 'visitors.csv': '/reports/visitors.csv' }],
    ['report.md', 3, { 'visitors.csv': '/reports/visitors.csv', 'report.json': '/reports/report.json' }],
  ])(
    'writing stops at the first file that cannot be written (%s), and the files before it stay',
    async (name, tried, paths) => {
      const { written, texts } = await write(name)
      expect(written).toEqual({ paths, fault })
      expect(texts).toHaveLength(tried)
    },
  )
})

import { expect, it } from 'vitest'
import { clock } from '../../src/adapters/clock.ts'
import { contextOf } from '../../src/steps/environment.ts'

const raw = { 'base-url': 'https://api.example', 'project-id': 'docs', 'job-id': '', 'matrix-index': '0' }
const runner = { log() {}, output() {}, save: () => true, fail() {}, summary: async () => {} }
const others = {
  runner,
  clock,
  payload: undefined,
  cancelled: new AbortController().signal,
}

it('the current folder, which may no longer exist, is not read if the environment names the workspace', () => {
  const currentFolder = () => {
    throw new Error('ENOENT: uv_cwd')
  }
  expect(contextOf({ GITHUB_WORKSPACE: '/work' }, raw, { ...others, currentFolder }).workspace).toBe('/work')
})

it('the current folder is used if there is no workspace', () => {
  expect(contextOf({}, raw, { ...others, currentFolder: () => '/here' }).workspace).toBe('/here')
})

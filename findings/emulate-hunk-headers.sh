#!/bin/sh
# Guess: the patches in a comparison of emulate's GitHub are as git writes them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . emulate@0.12.2
cat > show.mjs <<'CODE'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createEmulator } from 'emulate'

const repo = 'mona/app'
const seed = {
  tokens: { token: { login: 'mona', scopes: ['repo'] } },
  github: { users: [{ login: 'mona' }], repos: [{ owner: 'mona', name: 'app' }] },
}
const hub = await createEmulator({ service: 'github', port: 0, seed })
async function call(path, body) {
  const headers = { authorization: 'token token' }
  const options = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
  return (await fetch(`${hub.url}/repos/${repo}/${path}`, options)).json()
}
async function commitOf(files, base, parents) {
  const tree = Object.entries(files).map(([path, content]) => ({ path, mode: '100644', type: 'blob', content }))
  const { sha } = await call('git/trees', { tree, ...(base && { base_tree: base }) })
  return { tree: sha, sha: (await call('git/commits', { message: 'Work', tree: sha, parents })).sha }
}
const first = await commitOf({ 'a.md': 'one\n' }, undefined, [])
const second = await commitOf({ 'new.md': 'one\n' }, first.tree, [first.sha])
const { files } = await call(`compare/${first.sha}...${second.sha}`)
await hub.close()

writeFileSync('empty', '')
writeFileSync('new.md', 'one\n')
let diff = ''
try {
  execFileSync('git', ['diff', '--no-index', 'empty', 'new.md'])
} catch (error) {
  diff = error.stdout.toString()
}
const [git] = /^@@.*/m.exec(diff) ?? []
const [emulate] = files[0].patch.split('\n')
console.log('emulate 0.12.2')
console.log('Behavior: the header of a hunk always has a count of lines. Git leaves out a count of one.')
console.log(`Saw: emulate “${emulate}”, git “${git}”`)
process.exit(emulate === '@@ -0,0 +1,1 @@' && git?.endsWith('+1 @@') ? 0 : 1)
CODE
node show.mjs

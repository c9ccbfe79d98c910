#!/bin/sh
# Guess: Mintlify makes no page of AGENTS.md and CLAUDE.md, as it makes none of README.md.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @mintlify/common@1.0.1183
cat > show.mjs <<'CODE'
import { getFileCategory, isMintIgnored } from '@mintlify/common'

const paths = ['README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'CLAUDE.md', 'guides/AGENTS.md', '.claude/rules.md', 'sub/docs.json']
const kindOf = (path) => (isMintIgnored(path) ? 'ignored' : String(getFileCategory(path)))
const kinds = paths.map((path) => `${path} ${kindOf(path)}`)
console.log('@mintlify/common 1.0.1183')
console.log('Behavior: files with instructions for agents are pages of the docs, in every folder. Those in .claude/ are ignored.')
console.log(`Saw: ${kinds.join(', ')}`)
const arePages = ['AGENTS.md', 'CLAUDE.md', 'guides/AGENTS.md'].every((path) => kindOf(path) === 'page')
process.exit(arePages && kindOf('README.md') !== 'page' ? 0 : 1)
CODE
node show.mjs

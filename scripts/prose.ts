/** `npm run prose`: holds every text that users see to the rules of plain English below. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Root, RootContent } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { helpText } from '../sandbox/options.ts'
import { projectDir } from '../sandbox/runner/action.ts'
import { pages } from './docs.ts'

interface Rule {
  name: string
  pattern: RegExp
  remedy: string
}

/** What follows a genitive that has no noun of its own. */
const noNoun = String.raw`(?=\s*(?:[.,;:)]|$)|\sown(?:[.,;:)]|$)|\s(?:are|is|was|were|has|have|stand|before|after|and|or|by|in|on|at|it|they|to|that|came|come|caused)\b)`

/** Each rule names a habit that makes English read as translated, and what to write instead. */
const rules: Rule[] = [
  {
    name: 'if-not-where',
    pattern:
      /\b(?:nothing|none|anything|something|one|no \w+) where (?:there|it|they|this|that|GitHub)\b|\bwhere (?:there (?:is|are)|it (?:is|has|can|comes|holds|takes)|they (?:are|do|have)|this|that (?:is|was)|GitHub|the (?:repository|token|key|job|step|runner|stream) (?:is|has|does|cannot))\b|(?:^|[.;:] )(?:But )?Where (?!(?:to|you|things)\b)[^.?]*,|\bwherever\b/,
    remedy: 'Use "if" or "when" for a condition. "Where" is for places.',
  },
  {
    name: 'one-genitive',
    pattern: new RegExp(
      String.raw`\b(?:of|as) (?:the |an? |this |one )?\w+['’]s${noNoun}|\b(?:[Oo]n|[Ii]n|[Ff]rom) (?:the |an? )\w+['’]s (?:it|they)\b|\bof theirs\b|\bone['’]s own\b|\bof somebody['’]s\b`,
    ),
    remedy: 'Use one genitive, with its noun: "the agent\'s pull requests".',
  },
  {
    name: 'plain-modals',
    pattern:
      /\bshall\b|\bmay not\b|\b(?:is|are|was|were) (?:not )?to (?:be|do|go|stand|have|get)\b|\bto be had\b|\bha(?:s|ve|d) to\b|\blets? (?:in|at)\b|\bneeds? not\b|\bought\b/,
    remedy: 'Use "must", "can", "cannot" or "should".',
  },
  {
    name: 'name-the-person',
    pattern:
      /\b(?:role|those|asked|asks|of|for|by|from) (?:of )?who (?:comments?|asks?|reads?|wants?|re-?ran|started|wrote|may)\b|(?:^|[.;:] )Who(?:ever)? [^?]*[.;]|\bwhoever\b|\bsomebody\b|\banybody\b|\beverybody\b|\bpeople and AI\b(?! readers)|\bas a person\b/,
    remedy: 'Name the person or thing: "the commenter", "anyone who can …", "someone".',
  },
  {
    name: 'field-words',
    pattern:
      /\banew\b|\bcame about\b|\bwhat (?:came|comes|became|becomes) of\b|\bat the moment of\b|\bhas a slip\b|\bhands? (?:back|out)\b|\b(?:is|are|was|or) said\b|\bputs? out\b|\bout of order\b|\bstands? (?:in|on|at|behind|beside|before|there)\b|\bin (?:a )?circles?\b|\bsays it (?:all|in full)\b|\bthan it says\b|\bthat there (?:is|are)\b(?! no)|\bas far as\b|\bin the place of\b|\bbelongs? into\b|\bspeaks? to\b|\bholds? for\b|\bbrings? (?:no|nothing|it|them|others?)\b|\bby hand, and\b|\btalk(?:ing)? it into\b|\bthat goes on\b|\bever less\b|\basked of\b|\ball such\b|\bwhat is where\b|\bwhat may have\b|\blines? of them\b|\b(?:by|to|at) [^,.;]{1,30} alone\b|\btwo right\b|\bcounts? for nothing\b|\bworth nothing\b/i,
    remedy:
      'Use the verb or noun of the field: again, connect, returns, sets, appears, contains, applies, unavailable.',
  },
  {
    name: 'american-spelling',
    pattern:
      /\b(?:organi|recogni|neutrali|normali|summari|authori)s(?:e|ed|es|ing|ation)\b|\b(?:colou?|behaviou|favou|honou)rs?\b(?<!color|colors)/i,
    remedy: 'Use American spelling.',
  },
]

export interface Finding {
  /** 1-based. */
  line: number
  text: string
  rule: string
  remedy: string
}

/** What a run of plain text breaks. */
export function checkText(text: string, line = 1): Finding[] {
  const flat = text.replace(/\s+/g, ' ').trim()
  return rules.flatMap(({ name, pattern, remedy }) => {
    const found = pattern.exec(flat)
    return found === null ? [] : [{ line, text: found[0].trim(), rule: name, remedy }]
  })
}

const parser = unified().use(remarkParse).use(remarkGfm)

/** What a Markdown page breaks. Code is left out, except for blocks of Markdown and log, which snapshots hold. */
export function checkMarkdown(page: string): Finding[] {
  return textsOf(parser.parse(page)).flatMap(({ line, text }) => checkText(text, line))
}

interface Run {
  line: number
  text: string
}

/** The texts of a page, one for each paragraph, heading and cell. */
function textsOf(node: Root | RootContent): Run[] {
  const line = node.position?.start.line ?? 1
  if (node.type === 'code') {
    if (node.lang === 'markdown')
      return textsOf(parser.parse(node.value)).map((run) => ({ ...run, line: run.line + line }))
    return node.lang === 'text'
      ? node.value.split('\n').map((text, index) => ({ line: line + index + 1, text }))
      : []
  }
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell')
    return [{ line, text: flatten(node) }]
  return 'children' in node ? node.children.flatMap(textsOf) : []
}

/** The words of a node. Code becomes a placeholder noun, so that a sentence stays one. */
function flatten(node: RootContent): string {
  if (node.type === 'text') return node.value
  if (node.type === 'inlineCode') return 'CODE'
  if (node.type === 'image') return node.alt ?? ''
  return 'children' in node ? node.children.map(flatten).join('') : ' '
}

/** What a YAML file breaks in its comments, descriptions and labels. Every line is a text of its own. */
export function checkYaml(file: string): Finding[] {
  return file.split('\n').flatMap((text, index) => checkText(text.replace(/`[^`]*`/g, 'CODE'), index + 1))
}

const check = { '.md': checkMarkdown, '.yml': checkYaml } as const

/** The files with texts that users see, relative to the project. */
export function files(): string[] {
  const inFolder = (folder: string) => readdirSync(join(projectDir, folder)).map((name) => join(folder, name))
  return [
    ...pages(),
    ...[
      'SECURITY.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'ARCHITECTURE.md',
      'TROUBLESHOOTING.md',
      'test/README.md',
    ],
    ...[
      'action.yml',
      'visitors/action.yml',
      'settle/action.yml',
      '.github/pull_request_template.md',
      'test/render/__snapshots__/texts.md',
    ],
    ...[...inFolder('examples'), ...inFolder('.github/workflows'), ...inFolder('.github/ISSUE_TEMPLATE')],
  ]
}

/** What all of them break, by file. */
export function checkAll(): { file: string; findings: Finding[] }[] {
  const checked = files().map((file) => {
    const text = readFileSync(join(projectDir, file), 'utf8')
    return { file, findings: check[file.endsWith('.md') ? '.md' : '.yml'](text) }
  })
  const help = helpText()
    .split('\n')
    .flatMap((text, index) => checkText(text.replace(/`[^`]*`/g, 'CODE'), index + 1))
  return [...checked, { file: 'npm start -- --help', findings: help }]
}

if (import.meta.main) {
  const broken = checkAll().flatMap(({ file, findings }) =>
    findings.map(({ line, text, rule, remedy }) => `${file}:${line}: "${text}" (${rule}). ${remedy}`),
  )
  for (const line of broken) console.error(line)
  if (broken.length > 0) process.exitCode = 1
}

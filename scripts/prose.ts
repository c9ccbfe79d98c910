/** `npm run prose`: checks all text that people can read, including comments and test titles, against the rules below. */
import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Root, RootContent } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'
import { unified } from 'unified'
import { projectDir } from '../sandbox/runner/action.ts'
import { pages } from './docs.ts'

interface Rule {
  name: string
  pattern: RegExp
  remedy: string
}

/** Matches what can follow a genitive that lacks its noun. */
const noNoun = String.raw`(?=\s*(?:[.,;:)]|$)|\sown(?:[.,;:)]|$)|\s(?:are|is|was|were|has|have|stand|before|after|and|or|by|in|on|at|it|they|to|that|came|come|caused)\b)`

/** Each rule describes a habit that makes English read as translated, and what to write instead. */
const rules: Rule[] = [
  {
    name: 'if-not-where',
    pattern:
      /\b(?:nothing|none|anything|something|one|no \w+) where (?:there|it|they|this|that|GitHub)\b|\bwhere (?:there (?:is|are)|it (?:is|has|can|comes|holds|takes)|they (?:are|do|have)|this|that (?:is|was)|GitHub|the (?:repository|token|key|job|step|runner|stream) (?:is|has|does|cannot))\b|(?:^|[.;:] )(?:But )?Where (?!(?:to|you|things)\b)[^.?]*,|\bwherever\b|\b(?:[Nn]ull|[Uu]ndefined|[Ff]alse|[Tt]rue|[Ee]mpty|[Ff]ault|[Ee]rror) where\b|\bwhere there is\b/,
    remedy: 'Use "if" or "when" for a condition. "Where" is for places.',
  },
  {
    name: 'one-genitive',
    pattern: new RegExp(
      String.raw`\b(?:of|as) (?:the |an? |this |one )?\w+['’]s${noNoun}|\b(?:[Oo]n|[Ii]n|[Ff]rom) (?:the |an? )\w+['’]s (?:it|they)\b|\bof theirs\b|\bone['’]s own\b|\b(?:of|as) (?:the |an? )?(?:action|agent|workflow|step|job|run)['’]s (?:that|which|with|for|from|if|while|as|so|when)\b|\bof somebody['’]s\b`,
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
    name: 'one-word-for-one-thing',
    pattern:
      /\btells?\b|\btold\b|\bgo(?:es|ing)? on\b(?! GitHub)|\bwent on\b|\bat (?:GitHub|Mintlify)\b(?!['’])|\bby hand\b|(?<!connections? (?:is |are |was )?|-)\brefus(?:es?|ed|ing|als?)\b(?!-| connection)|(?<!-|not |not as )\binstructions?\b(?!-| above)|\bstands?\b(?![- ](?:in|for|out)\b)|\bstood\b|\bthe (?:workflow|run) before\b|\bfurther (?:prompts?|messages?)\b|\bAIs\b|\bhumans\b|\bmost (?:rows|open pull requests|characters|bytes)\b|\bmay be let\b|\blet at\b|\b(?:a|no) memory\b(?! (?:use|limit|of))|\bremembers it\b/i,
    remedy:
      'Use the one term: report or say, continues, on GitHub, manual run, rejected, prompt, exists, upstream run, follow-up, human visitors, at most, record.',
  },
  {
    name: 'subject-first',
    pattern:
      /(?:^|[.;] )Of (?!course\b)|(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|different\b|better\b|earlier\b|later\b|one\b|\d)\w+/i,
    remedy: 'Begin with the subject, and negate the verb: "is not a pull request".',
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

/** Finds what breaks the rules in plain text. @param line the number of its first line */
export function checkText(text: string, line = 1): Finding[] {
  const flat = text.replace(/\s+/g, ' ').trim()
  return rules.flatMap(({ name, pattern, remedy }) => {
    const all = flat.matchAll(new RegExp(pattern, `${pattern.flags}g`))
    return [...all].map(([found]) => ({ line, text: found.trim(), rule: name, remedy }))
  })
}

const parser = unified().use(remarkParse).use(remarkGfm)

/** Checks a Markdown page. Code is skipped, except for blocks of Markdown and plain text, which snapshots contain. */
export function checkMarkdown(page: string): Finding[] {
  return textsOf(parser.parse(page)).flatMap(({ line, text }) => checkText(text, line))
}

interface Run {
  line: number
  text: string
}

/** The texts of a page: one for each paragraph, heading and table cell. */
function textsOf(node: Root | RootContent): Run[] {
  const line = node.position?.start.line ?? 1
  if (node.type === 'code') {
    if (node.lang === 'markdown')
      return textsOf(parser.parse(node.value)).map((run) => ({ ...run, line: run.line + line }))
    return node.lang === 'text'
      ? node.value.split('\n').map((text, index) => ({ line: line + index + 1, text }))
      : []
  }
  // A heading that is one lower-case word is an error's id.
  if (node.type === 'heading' && /^[a-z][a-z0-9-]*$/.test(flatten(node))) return []
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell')
    return [{ line, text: flatten(node) }]
  return 'children' in node ? node.children.flatMap(textsOf) : []
}

/** The words of a node. Code becomes a placeholder noun, so that the sentence stays complete. */
function flatten(node: RootContent): string {
  if (node.type === 'text') return node.value
  if (node.type === 'inlineCode') return 'CODE'
  if (node.type === 'image') return node.alt ?? ''
  return 'children' in node ? node.children.map(flatten).join('') : ' '
}

/** A test title states behavior, and begins with its subject or verb. */
const titleRule: Rule = {
  name: 'title-is-a-sentence',
  pattern: /^(?:of|that|with|without)\b/i,
  remedy: 'Begin a test title with its subject or its verb: "skips a comment by a reader".',
}

/**
 * Checks the comments and test titles in a TypeScript file and, except in tests, its strings of three words or more.
 */
export function checkTypeScript(name: string, source: string): Finding[] {
  const { program, comments } = parseSync(name, source)
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length
  const found = commentsOf(comments, source).flatMap(({ text, start }) => checkText(text, lineOf(start)))
  const add = (text: string, offset: number) => found.push(...checkText(text, lineOf(offset)))
  const isTest = name.startsWith('test/')
  new Visitor({
    CallExpression(node) {
      const title = titleOf(node)
      if (title === null) return
      add(title, node.start)
      const { pattern, remedy } = titleRule
      if (pattern.test(title))
        found.push({ line: lineOf(node.start), text: title, rule: titleRule.name, remedy })
    },
    Literal(node) {
      if (!isTest && typeof node.value === 'string' && isProse(node.value))
        add(withoutCode(node.value), node.start)
    },
    TemplateLiteral(node) {
      const text = textOfTemplate(node)
      if (!isTest && isProse(text)) add(withoutCode(text), node.start)
    },
  }).visit(program)
  return found
}

interface Comment {
  text: string
  /** Offset of the comment's first character. */
  start: number
}

/** The comments of a file. Line comments with only space between them are joined. */
function commentsOf(
  comments: readonly { type: string; value: string; start: number; end: number }[],
  source: string,
): Comment[] {
  const joined: (Comment & { type: string; end: number })[] = []
  for (const { type, value, start, end } of comments) {
    const text = withoutCode(value.replace(/^\s*\*+ ?/gm, ''))
    const last = joined.at(-1)
    if (type === 'Line' && last?.type === 'Line' && source.slice(last.end, start).trim() === '') {
      last.text += text
      last.end = end
    } else joined.push({ type, text, start, end })
  }
  return joined
}

/** The title in a call of `it`, `test` or `describe`, including `it.each(table)`; null for other calls. */
function titleOf({ callee, arguments: [first] }: ESTree.CallExpression): string | null {
  if (!/^(?:it|test|describe)\b/.test(calledName(callee))) return null
  if (first?.type === 'Literal' && typeof first.value === 'string') return withoutCode(first.value)
  return first?.type === 'TemplateLiteral' ? withoutCode(textOfTemplate(first)) : null
}

function calledName(callee: ESTree.Expression | ESTree.Super): string {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'MemberExpression') return calledName(callee.object)
  if (callee.type === 'CallExpression') return calledName(callee.callee)
  return callee.type === 'TaggedTemplateExpression' ? calledName(callee.tag) : ''
}

const textOfTemplate = ({ quasis }: ESTree.TemplateLiteral) =>
  quasis.map(({ value }) => value.cooked ?? '').join('CODE')

/** A string is prose if it contains three words in a row. */
const isProse = (text: string) => /[\p{L}\d]+[,;:]? [\p{L}\d]+[,;:]? [\p{L}\d]+/u.test(text)

const withoutCode = (text: string) => text.replace(/`[^`]*`/g, 'CODE')

/** Checks the comments of a stylesheet. */
export function checkStyles(file: string): Finding[] {
  return [...file.matchAll(/\/\*([\s\S]*?)\*\//g)].flatMap(({ 1: text = '', index }) =>
    checkText(withoutCode(text), file.slice(0, index).split('\n').length),
  )
}

/** Checks a file line by line. */
export function checkLines(file: string): Finding[] {
  return file.split('\n').flatMap((text, index) => checkText(withoutCode(text), index + 1))
}

/** Checks a file by its extension. YAML, JSON and HTML are checked line by line. */
function checkFile(name: string, text: string): Finding[] {
  const end = extname(name)
  if (end === '.md') return checkMarkdown(text)
  if (end === '.ts') return checkTypeScript(name, text)
  return end === '.css' ? checkStyles(text) : checkLines(text)
}

/** These files contain the forbidden words. */
const own = ['scripts/prose.ts', 'test/project/prose.test.ts']

/** The files to check, relative to the project. */
export function files(): string[] {
  const found = globSync(
    [
      '{src,test,sandbox,scripts,bench,faults}/**/*.{ts,css,html,yml,yaml}',
      '{examples,.github/workflows,.github/ISSUE_TEMPLATE}/*.{yml,yaml,md}',
      'schema/*.json',
    ],
    { cwd: projectDir },
  ).map((name) => name.replaceAll('\\', '/'))
  return [
    ...pages(),
    ...['SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'TROUBLESHOOTING.md'],
    ...['test/README.md', 'test/render/__snapshots__/texts.md', '.github/pull_request_template.md'],
    ...['action.yml', 'visitors/action.yml', 'settle/action.yml'],
    ...found.filter((name) => !own.includes(name)),
  ]
}

/** Checks all files. */
function checkAll(): { file: string; findings: Finding[] }[] {
  const checked = files().map((file) => ({
    file,
    findings: checkFile(file, readFileSync(join(projectDir, file), 'utf8')),
  }))
  return checked
}

if (import.meta.main) {
  const broken = checkAll().flatMap(({ file, findings }) =>
    findings.map(({ line, text, rule, remedy }) => `${file}:${line}: "${text}" (${rule}). ${remedy}`),
  )
  for (const line of broken) console.error(line)
  if (broken.length > 0) process.exitCode = 1
}

/** `npm run prose`: checks all text that people can read, including comments and test titles, against the rules below. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from '../sandbox/runner/action.ts'

/** Matches what can follow a genitive that lacks its noun. */
const noNoun = String.raw`(?=\s*(?:[.,;:)]|$)|\sown(?:[.,;:)]|$)|\s(?:are|is|was|were|has|have|stand|before|after|and|or|by|in|on|at|it|they|to|that|came|come|caused)\b)`

/** Each rule describes a habit that makes English read as translated, and what to write instead. */
const rules: [name: string, pattern: RegExp, remedy: string][] = [
  [
    'if-not-where',
    /\b(?:nothing|none|anything|something|one|no \w+) where (?:there|it|they|this|that|GitHub)\b|\bwhere (?:there (?:is|are)|it (?:is|has|can|comes|holds|takes)|they (?:are|do|have)|this|that (?:is|was)|GitHub|the (?:repository|token|key|job|step|runner|stream) (?:is|has|does|cannot))\b|(?:^|[.;:] )(?:But )?Where (?!(?:to|you|things)\b)[^.?]*,|\bwherever\b|\b(?:[Nn]ull|[Uu]ndefined|[Ff]alse|[Tt]rue|[Ee]mpty|[Ff]ault|[Ee]rror) where\b|\bwhere there is\b/,
    'Use "if" or "when" for a condition. "Where" is for places.',
  ],
  [
    'one-genitive',
    new RegExp(
      String.raw`\b(?:of|as) (?:the |an? |this |one )?\w+['’]s${noNoun}|\b(?:[Oo]n|[Ii]n|[Ff]rom) (?:the |an? )\w+['’]s (?:it|they)\b|\bof theirs\b|\bone['’]s own\b|\b(?:of|as) (?:the |an? )?(?:action|agent|workflow|step|job|run)['’]s (?:that|which|with|for|from|if|while|as|so|when)\b|\bof somebody['’]s\b`,
    ),
    'Use one genitive, with its noun: "the agent\'s pull requests".',
  ],
  [
    'plain-modals',
    /\bshall\b|\bmay not\b|\b(?:is|are|was|were) (?:not )?to (?:be|do|go|stand|have|get)\b|\bto be had\b|\bha(?:s|ve|d) to\b|\blets? (?:in|at)\b|\bneeds? not\b|\bought\b/,
    'Use "must", "can", "cannot" or "should".',
  ],
  [
    'name-the-person',
    /\b(?:role|those|asked|asks|of|for|by|from) (?:of )?who (?:comments?|asks?|reads?|wants?|re-?ran|started|wrote|may)\b|(?:^|[.;:] )Who(?:ever)? [^?]*[.;]|\bwhoever\b|\bsomebody\b|\banybody\b|\beverybody\b|\bpeople and AI\b(?! readers)|\bas a person\b/,
    'Name the person or thing: "the commenter", "anyone who can …", "someone".',
  ],
  [
    'field-words',
    /\banew\b|\bcame about\b|\bwhat (?:came|comes|became|becomes) of\b|\bat the moment of\b|\bhas a slip\b|\bhands? (?:back|out)\b|\b(?:is|are|was|or) said\b|\bputs? out\b|\bout of order\b|\bstands? (?:in|on|at|behind|beside|before|there)\b|\bin (?:a )?circles?\b|\bsays it (?:all|in full)\b|\bthan it says\b|\bthat there (?:is|are)\b(?! no)|\bas far as\b|\bin the place of\b|\bbelongs? into\b|\bspeaks? to\b|\bholds? for\b|\bbrings? (?:no|nothing|it|them|others?)\b|\bby hand, and\b|\btalk(?:ing)? it into\b|\bthat goes on\b|\bever less\b|\basked of\b|\ball such\b|\bwhat is where\b|\bwhat may have\b|\blines? of them\b|\b(?:by|to|at) [^,.;]{1,30} alone\b|\btwo right\b|\bcounts? for nothing\b|\bworth nothing\b/i,
    'Use the verb or noun of the field: again, connect, returns, sets, appears, contains, applies, unavailable.',
  ],
  [
    'one-word-for-one-thing',
    /\btells?\b|\btold\b|\bgo(?:es|ing)? on\b(?! GitHub)|\bwent on\b|\bat (?:GitHub|Mintlify)\b(?!['’])|\bby hand\b|(?<!connections? (?:is |are |was )?|-)\brefus(?:es?|ed|ing|als?)\b(?!-| connection)|(?<!-|not |not as )\binstructions?\b(?!-| above)|\bstands?\b(?![- ](?:in|for|out)\b)|\bstood\b|\bthe (?:workflow|run) before\b|\bfurther (?:prompts?|messages?)\b|\bAIs\b|\bhumans\b|\bmost (?:rows|open pull requests|characters|bytes)\b|\bmay be let\b|\blet at\b|\b(?:a|no) memory\b(?! (?:use|limit|of))|\bremembers it\b/i,
    'Use the one term: report or say, continues, on GitHub, manual run, rejected, prompt, exists, upstream run, follow-up, human visitors, at most, record.',
  ],
  [
    'subject-first',
    /(?:^|[.;] )Of (?!course\b)|(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|different\b|better\b|earlier\b|later\b|one\b|\d)\w+/i,
    'Begin with the subject, and negate the verb: "is not a pull request".',
  ],
  [
    'american-spelling',
    /\b(?:organi|recogni|neutrali|normali|summari|authori)s(?:e|ed|es|ing|ation)\b|\b(?:colou?|behaviou|favou|honou)rs?\b(?<!color|colors)/i,
    'Use American spelling.',
  ],
  [
    'title-is-a-sentence',
    /^TITLE (?:of|that|with|without)\b/i,
    'Begin a test title with its subject or its verb: "skips a comment by a reader".',
  ],
]

/**
 * Finds what breaks the rules in a file: the line, from 1, the text, the rule and its remedy. Code between backticks
 * becomes a placeholder noun.
 */
export function check(file: string, content: string) {
  return partsOf(file, content).flatMap(({ 0: text, index }) => {
    const flat = text
      .replace(/`[^`]*`/g, 'CODE')
      .replace(/\s+/g, ' ')
      .trim()
    const line = content.slice(0, index).split('\n').length
    return rules.flatMap(([rule, pattern, remedy]) =>
      [...flat.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(([found]) => {
        return { line, text: found.trim(), rule, remedy }
      }),
    )
  })
}

/** A text, and the offset of its first character. */
interface Part {
  0: string
  index: number
}

/** The texts of a file: paragraphs and table cells of Markdown, comments and strings of code, and lines of anything else. */
function partsOf(file: string, content: string): Part[] {
  if (file.endsWith('.md'))
    return [...withoutBlocks(content).matchAll(/[^|\n]+(?:\n(?![\n|#>-]|\d+\.)[^|\n]+)*/g)]
  if (/\.(?:css|ts)$/.test(file))
    return [...content.matchAll(tokens)].flatMap((part) => wordsOf(file, part, content))
  return [...content.matchAll(/.+/g)]
}

/** Markdown without blocks of code, except those of Markdown and plain text, which snapshots contain. */
function withoutBlocks(content: string): string {
  return content.replace(/^( *)```(?!markdown|text)\w*\n[\s\S]*?^\1```$/gm, (block) =>
    block.replace(/[^\n]/g, ' '),
  )
}

/** Comments and strings. Line comments that follow each other are one. */
const tokens =
  /\/\*[\s\S]*?\*\/|\/\/.*(?:\n\s*\/\/.*)*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g

/** The words of a comment, of a test title, or, except in tests, of a string with three words in a row. */
function wordsOf(file: string, { 0: text, index }: Part, content: string): Part[] {
  if (/^\/[/*]/.test(text)) return [{ 0: text.replace(/^\s*(?:\/\*+|\/\/|\*+\/?)/gm, ''), index }]
  const words = text.slice(1, -1).replace(/\$\{[^}]*\}/g, 'CODE')
  const before = content.slice(Math.max(0, index - 60), index)
  if (/\b(?:it|test|describe)\b[\w.]*(?:\([^'"`]*\))?\(\s*$/.test(before))
    return [{ 0: `TITLE ${words}`, index }]
  const isProse = /[\p{L}\d]+[,;:]? [\p{L}\d]+[,;:]? [\p{L}\d]+/u.test(words)
  return isProse && !file.startsWith('test/') ? [{ 0: words, index }] : []
}

/** The files to check, relative to the project, except those that contain the forbidden words. */
export function files(): string[] {
  const folders = '{src,test,sandbox,scripts,bench}/**/*.{ts,css,html,yml,yaml}'
  const texts = [
    '*.md',
    'docs/*.md',
    'test/README.md',
    'test/say/__snapshots__/messages.md',
    '{.,visitors,settle}/action.yml',
  ]
  const others = [
    '{examples,.github,.github/workflows,.github/ISSUE_TEMPLATE}/*.{yml,yaml,md}',
    'schema/*.json',
  ]
  return globSync([folders, ...texts, ...others], { cwd: projectDir })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !['scripts/prose.ts', 'test/project/prose.test.ts'].includes(name))
}

if (process.argv[1] === import.meta.filename)
  for (const file of files())
    for (const { line, text, rule, remedy } of check(file, readFileSync(join(projectDir, file), 'utf8'))) {
      console.error(`${file}:${line}: "${text}" (${rule}). ${remedy}`)
      process.exitCode = 1
    }

/** Shows Markdown as GitHub shows a job summary, with the same dialect, sanitizing and style. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rehypeGithubAlerts } from 'rehype-github-alerts'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

/** Turns Markdown into HTML with only the elements that GitHub allows: rehype-sanitize's default schema is GitHub's. */
export const sanitized = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize)
  .freeze()

// Alerts are added after sanitizing, from sanitized text.
const pipeline = sanitized().use(rehypeGithubAlerts, {}).use(rehypeStringify)

/** The HTML that GitHub would render for Markdown. */
export async function renderFragment(markdown: string): Promise<string> {
  return String(await pipeline.process(markdown))
}

/** Markdown as one self-contained page, with the title above it. */
export async function renderPage(title: string, markdown: string): Promise<string> {
  const css = `.markdown-body { box-sizing: border-box; min-height: 100vh; padding: 2rem 1rem }
main { max-width: 980px; margin: auto }`
  const charts = /(?=<pre><code class="language-mermaid">)/g
  const content = (await renderFragment(markdown)).replace(charts, '<p><em>GitHub draws this chart:</em></p>')
  const body = `<div class="markdown-body"><main><h1>${escapeHtml(title)}</h1>
${content}
</main></div>`
  return pageWith({ title, css, body })
}

/** A self-contained page, light or dark like the reader's system. `css` and `body` are not escaped. */
export function pageWith({ title, css, body }: { title: string; css: string; body: string }): string {
  const markdownCss = readFileSync(
    fileURLToPath(import.meta.resolve('github-markdown-css/github-markdown.css')),
    'utf8',
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
${markdownCss}
:root { color-scheme: light dark }
body { margin: 0 }
${css}
</style>
</head>
<body>${body}</body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)
}

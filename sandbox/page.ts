/** Shows Markdown as GitHub shows a job summary: its dialect, its sanitising, its looks. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rehypeGithubAlerts } from 'rehype-github-alerts'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

// rehype-sanitize's own schema is GitHub's; alerts are made after it, from text that it has let through.
const pipeline = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize)
  .use(rehypeGithubAlerts, {})
  .use(rehypeStringify)

/** The HTML that GitHub would make of Markdown. */
export async function renderFragment(markdown: string): Promise<string> {
  return String(await pipeline.process(markdown))
}

/** GitHub draws such blocks by mermaid in the reader's browser; its one file is long, but makes the page need nothing else. */
function drawDiagrams(): string {
  const path = fileURLToPath(import.meta.resolve('mermaid'))
  const script = readFileSync(join(dirname(path), 'mermaid.min.js'), 'utf8').replaceAll(
    '</script',
    '<\\/script',
  )
  return `<script>${script}</script>
<script type="module">
const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'default'
mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme })
document.querySelectorAll('code.language-mermaid').forEach(async (code, at) => {
  const { svg } = await mermaid.render('diagram' + at, code.textContent)
  code.parentElement.outerHTML = svg
})
</script>
`
}

/** One self-contained page, light or dark as the reader's system is. */
export async function renderPage(title: string, markdown: string): Promise<string> {
  const css = readFileSync(
    fileURLToPath(import.meta.resolve('github-markdown-css/github-markdown.css')),
    'utf8',
  )
  const diagrams = /^```mermaid$/m.test(markdown) ? drawDiagrams() : ''
  const heading = title.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<style>
${css}
:root { color-scheme: light dark }
body { margin: 0; background: light-dark(#f6f8fa, #010409); font-family: sans-serif }
main { max-width: 980px; margin: 2rem auto; border: 1px solid light-dark(#d1d9e0, #3d444d); border-radius: 6px; overflow: hidden }
header { padding: 12px 16px; font-size: 14px; font-weight: 600; color: light-dark(#1f2328, #f0f6fc); background: light-dark(#f6f8fa, #151b23); border-bottom: 1px solid light-dark(#d1d9e0, #3d444d) }
.markdown-body { padding: 16px }
@media (max-width: 600px) { main { margin: 0; border: 0; border-radius: 0 } }
</style>
</head>
<body><main><header>${heading}</header><article class="markdown-body">
${await renderFragment(markdown)}
</article></main>${diagrams}</body>
</html>
`
}

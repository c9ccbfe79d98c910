/** The step that waits for a job again, ready to paste into a workflow. */
import { common } from '../core/inputs/schema.ts'
import type { JobRef } from './problems.ts'

/** The YAML of a step that waits for a job. */
export function resumeStep({ uses, projectId, baseUrl }: JobRef, jobId: string): string {
  return [
    `- uses: ${uses}`,
    '  with:',
    `    project-id: ${yamlText(projectId)}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a GitHub expression
    '    api-key: ${{ secrets.DOCS_AGENT_API_KEY }} # the name of your secret',
    ...(baseUrl === '' || baseUrl === common['base-url'].fallback
      ? []
      : [`    base-url: ${yamlText(baseUrl)}`]),
    `    job-id: ${yamlText(jobId)}`,
  ].join('\n')
}

/** Text as a YAML value. JSON strings are YAML strings; plain words need no quotes unless YAML reads them as something else. */
function yamlText(text: string): string {
  const isPlain = /^[A-Za-z_][\w-]*$/.test(text) && !/^(null|true|false|yes|no|on|off|y|n)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}

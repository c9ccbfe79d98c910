/** The step that goes on waiting for a job, ready to paste. */

export interface StepIdentity {
  /** As in `uses:`, such as `owner/docs-agent-action@v1`. */
  uses: string
  projectId: string
  baseUrl: string
}

/** Where the platform is unless an input says otherwise (action.yml). */
const defaultBaseUrl = 'https://api.mintlify.com'

export function resumeStep({ uses, projectId, baseUrl }: StepIdentity, jobId: string): string {
  return [
    `- uses: ${uses}`,
    '  with:',
    `    project-id: ${yamlText(projectId)}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's
    '    api-key: ${{ secrets.DOCS_AGENT_API_KEY }} # or what your secret is called',
    ...(baseUrl === '' || baseUrl === defaultBaseUrl ? [] : [`    base-url: ${yamlText(baseUrl)}`]),
    `    job-id: ${yamlText(jobId)}`,
  ].join('\n')
}

/** JSON's strings are YAML's; plain words need no quotes, but for those that YAML reads as something else. */
function yamlText(text: string): string {
  const isPlain = /^[A-Za-z_][\w-]*$/.test(text) && !/^(null|true|false|yes|no|on|off|y|n)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}

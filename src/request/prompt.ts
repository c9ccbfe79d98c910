/** The prompt of a request: what it asks for, its context, and files from the workspace. */
import type { AgentInputs } from '../core/inputs/schema.ts'
import { fail } from '../core/outcome.ts'
import { assemblePrompt, type Context } from '../core/prompt/prompt.ts'
import { containsSecret, maskTokens } from '../core/redact.ts'
import { paragraphs } from '../core/text.ts'
import type { AgentPorts } from '../ports.ts'
import { say } from '../say/messages.ts'

/**
 * The prompt with its context; null if the step has none, and so only waits. It never contains a secret.
 * @param request what is asked for, without `prompt-file`; null if nothing is
 */
export async function composePrompt(
  request: string | null,
  context: Context | null,
  { contextFiles, promptFile, apiKey, githubToken }: AgentInputs,
  { workspace, log }: AgentPorts,
) {
  const file = promptFile === null ? null : await workspace.readText('prompt-file', promptFile)
  if (file?.ok === false) return fail(file.failure)
  const instructions = paragraphs([file?.value, request])
  if (instructions === null) return null
  const files = contextFiles.length === 0 ? null : await workspace.readMatching('context-files', contextFiles)
  if (files?.ok === false) return fail(files.failure)
  if (files?.value.length === 0) log(say.noFiles())
  const prompt = assemblePrompt(instructions, files?.value ?? [], context)
  const { text } = prompt
  if (containsSecret(text, [apiKey])) return fail({ kind: 'secret-in-prompt', secret: 'api-key' })
  if (containsSecret(text, [githubToken])) return fail({ kind: 'secret-in-prompt', secret: 'github-token' })
  const { text: safeText, count } = maskTokens(text)
  if (count > 0) log(say.tokensMasked(count))
  return { ...prompt, text: safeText }
}

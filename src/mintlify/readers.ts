/** The lists of what readers say, in Mintlify's responses (openapi.yaml). Texts and paths are as they arrive. */
import * as z from 'zod/mini'

/**
 * Makes the function that reads the entries of a list. It returns undefined if the list is missing, or has rows but no
 * usable ones.
 */
function listReader<Row, Entry>(
  name: string,
  schema: z.ZodMiniType<Row>,
  entriesOf: (rows: readonly Row[]) => Entry[],
) {
  return (json: unknown): Entry[] | undefined => {
    const { [name]: rows }: Record<string, unknown> = Object(json)
    if (!Array.isArray(rows)) return undefined
    const usable = rows.flatMap((row) => schema.safeParse(row).data ?? [])
    if (usable.length === 0 && rows.length > 0) return undefined
    return entriesOf(usable)
  }
}

/** The votes on pages. */
export const votesIn = listReader(
  'feedback',
  z.object({ path: z.string(), thumbsUp: z.number(), thumbsDown: z.number() }),
  (rows) =>
    rows.map(({ path, thumbsUp, thumbsDown }) => ({ path, positive: thumbsUp, negative: thumbsDown })),
)

/** The comments on pages. */
export const commentsIn = listReader(
  'feedback',
  // `contact` is left out: it is an email address, which is never kept.
  z.object({
    path: z.string(),
    comment: z.catch(z.string(), ''),
    status: z.catch(z.string(), ''),
    helpful: z.catch(z.nullable(z.boolean()), null),
  }),
  (rows) =>
    rows.map(({ path, comment, status, helpful }) => {
      const isDone = ['resolved', 'dismissed'].includes(status)
      return { path, text: comment, isHelpful: helpful, isDone }
    }),
)

/** The search terms whose click rate, from 0 to 1, is known. */
export const searchesIn = listReader(
  'searches',
  z.object({ searchQuery: z.string(), hits: z.number(), ctr: z.catch(z.number(), -1) }),
  (rows) => {
    // The unit of `ctr` is not documented. If one value is over 1, all values are percentages.
    const whole = rows.some(({ ctr }) => ctr > 1) ? 100 : 1
    const terms = rows.map(({ searchQuery, hits, ctr }) => {
      return { path: null, text: searchQuery, searches: hits, clickRate: ctr / whole }
    })
    return terms.filter(({ clickRate }) => clickRate >= 0 && clickRate <= 1)
  },
)

const optional = z.catch(z.nullable(z.string()), null)

/** The turns of conversations with the assistant, except those in which it only asked a clarifying question. */
export const questionsIn = listReader(
  'conversations',
  z.object({
    id: optional,
    conversationId: optional,
    query: z.string(),
    resolutionStatus: z.string(),
    responseType: optional,
    pageUrl: optional,
  }),
  (rows) => {
    const turns = rows.filter(({ responseType }) => responseType !== 'clarifying_question')
    return turns.map(({ id, pageUrl: path, query: text, conversationId, resolutionStatus }) => {
      // Mintlify's prose has `conversationId`. Its schema has only `id`, and calls it the conversation's.
      const conversation = conversationId ?? id
      return { path, text, conversation, isUnanswered: resolutionStatus === 'unanswered' }
    })
  },
)

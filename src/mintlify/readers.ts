/** The lists of what readers say, in Mintlify's responses (openapi.yaml). Texts and paths are as they arrive. */
import * as z from 'zod/mini'

/** A question to the assistant: a turn of a conversation. */
export type Question = NonNullable<ReturnType<typeof questionsIn>>[number]

/** The usable rows of a list; undefined if it is missing, or has rows but no usable ones. */
function rowsIn<Row>(json: unknown, list: string, schema: z.ZodMiniType<Row>): Row[] | undefined {
  const { [list]: rows }: Record<string, unknown> = Object(json)
  if (!Array.isArray(rows)) return undefined
  const usable = rows.flatMap((row) => schema.safeParse(row).data ?? [])
  if (usable.length === 0 && rows.length > 0) return undefined
  return usable
}

const votesRow = z.object({ path: z.string(), thumbsUp: z.number(), thumbsDown: z.number() })

export function votesIn(json: unknown) {
  const rows = rowsIn(json, 'feedback', votesRow)
  return rows?.map(({ path, thumbsUp, thumbsDown }) => {
    return { path, positive: thumbsUp, negative: thumbsDown }
  })
}

// `contact` is left out: it is an email address, which is never kept.
const commentRow = z.object({
  path: z.string(),
  comment: z.catch(z.string(), ''),
  status: z.catch(z.string(), ''),
  helpful: z.catch(z.boolean(), false),
})

export function commentsIn(json: unknown) {
  const rows = rowsIn(json, 'feedback', commentRow)
  return rows?.map(({ path, comment, status, helpful }) => {
    const isDone = status === 'resolved' || status === 'dismissed'
    return { path, text: comment, isPraise: helpful, isDone }
  })
}

const searchRow = z.object({ searchQuery: z.string(), hits: z.number(), ctr: z.catch(z.number(), -1) })

/** The terms whose click rate, from 0 to 1, is known. */
export function searchesIn(json: unknown) {
  const rows = rowsIn(json, 'searches', searchRow)
  // The unit of `ctr` is not documented. If one value is over 1, all values are percentages.
  const whole = rows?.some(({ ctr }) => ctr > 1) ? 100 : 1
  const terms = rows?.map(({ searchQuery, hits, ctr }) => {
    return { path: null, text: searchQuery, searches: hits, clickRate: ctr / whole }
  })
  return terms?.filter(({ clickRate }) => clickRate >= 0 && clickRate <= 1)
}

const optional = z.catch(z.nullable(z.string()), null)
const turnRow = z.object({
  conversationId: optional,
  query: z.string(),
  resolutionStatus: z.string(),
  responseType: optional,
  pageUrl: optional,
})

export function questionsIn(json: unknown) {
  const rows = rowsIn(json, 'conversations', turnRow)
  return rows?.map((turn) => ({
    path: turn.pageUrl,
    text: turn.query,
    conversation: turn.conversationId,
    isUnanswered: turn.resolutionStatus === 'unanswered',
    /** Whether the assistant asked a question instead. */
    isClarifying: turn.responseType === 'clarifying_question',
  }))
}

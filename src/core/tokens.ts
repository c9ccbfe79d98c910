/** Finds GitHub and Mintlify tokens in outside text. They were pasted by mistake, so they are not sent. */

/** The prefixes of tokens (docs.github.com, "GitHub's token formats") and of keys, with the characters that may follow. */
const candidate = /(?<![A-Za-z\d])(gh[oprsu]_|github_pat_|mint_(?:dsc_|us_)?)([\w.-]{11,}\w)/g

/** The text without its tokens, and their number. Names in code such as `mint_token_for_owner` stay. */
export function maskTokens(text: string): { text: string; count: number } {
  let count = 0
  const masked = text.replace(candidate, (whole, prefix: string, rest: string) => {
    if (!/[A-Z\d]/.test(rest)) return whole
    count++
    return `${prefix}***`
  })
  return { text: masked, count }
}

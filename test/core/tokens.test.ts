import { describe, expect, it } from 'vitest'
import { maskTokens } from '../../src/core/redact.ts'

const rest = '16C7e42F292c6912E7710c838347Ae178B4a'

describe('a token', () => {
  it.each([
    ...['ghp_', 'gho_', 'ghs_', 'ghu_', 'ghr_', 'github_pat_', 'mint_', 'mint_dsc_'].map((prefix) => [
      `${prefix}${rest}`,
      `${prefix}***`,
    ]),
    [`+TOKEN=ghp_${rest}`, '+TOKEN=ghp_***'],
    [`"ghs_${rest}.${rest}-${rest}".`, '"ghs_***".'],
    [`x_ghp_${rest}`, 'x_ghp_***'],
  ])('a token is masked in %s', (text, masked) => {
    expect(maskTokens(text)).toEqual({ text: masked, count: 1 })
  })

  it.each(['ghp_short', 'mint_token_for_owner()', 'xghp_0123456789abcdef', 'the prefix `github_pat_`'])(
    'a token is not found in %s',
    (text) => {
      expect(maskTokens(text)).toEqual({ text, count: 0 })
    },
  )

  it('a token is counted each time it appears', () => {
    expect(maskTokens(`ghp_${rest} mint_${rest} ghp_${rest}`).count).toBe(3)
  })
})

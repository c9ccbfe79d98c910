import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { readMarkers, writeMarker } from '../../src/core/marker.ts'
import { threadName } from '../../src/core/thread.ts'
import { hostileText } from './samples.ts'

describe('a marker', () => {
  const sign = signWith('mint_0123456789')
  const thread = threadName({ repository: 'Acme/Docs', number: 7, isPullRequest: false, reviewRoot: null })
  const marker = { thread, comment: 1001, job: 'job_1' }

  it('comes back from a comment that bears it', () => {
    expect(readMarkers(`Done.\n\n${writeMarker(marker, sign)}`, thread, sign)).toEqual([marker])
  })

  it('holds what a change is called, in any letters', () => {
    fc.assert(
      fc.property(hostileText, (author) => {
        const changes = [{ repository: 'acme/app', head: 'a'.repeat(40), number: null, author }]
        const written = writeMarker({ ...marker, changes }, sign)
        expect(readMarkers(written, thread, sign)).toEqual([{ ...marker, changes }])
      }),
    )
  })

  it('is worth nothing in another thread, signed with another key, or changed', () => {
    const written = writeMarker(marker, sign)
    expect(readMarkers(written, 'acme/docs#8', sign)).toEqual([])
    expect(readMarkers(writeMarker(marker, signWith('mint_another_key')), thread, sign)).toEqual([])
    const forged = btoa(JSON.stringify({ ...marker, job: 'job_2' }))
    expect(readMarkers(written.replace(/1:[^:]+:/, `1:${forged}:`), thread, sign)).toEqual([])
  })

  it('is not found in any text that has none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readMarkers(text, thread, sign)).toEqual([])
      }),
    )
  })
})

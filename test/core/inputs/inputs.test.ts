import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAction } from '../../../sandbox/runner/action.ts'
import { parseInputs } from '../../../src/core/inputs/inputs.ts'
import { inputNames, inputsByMode } from '../../../src/core/inputs/schema.ts'
import { failable, type Mode } from '../../../src/core/outcome.ts'
import { hostileText, noInputs, rowsOf } from '../samples.ts'

type Raw = Record<string, string>
const byHand = { isComment: false, now: Date.UTC(2026, 10, 18) }
const alone = { 'project-id': 'docs', 'api-key': 'mint_0123456789' }
const least = { ...alone, prompt: 'Fix the page' }

function read(raw: Raw) {
  const parsed = parseInputs({ ...noInputs, ...raw }, byHand)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed))
  return parsed.value
}

function faultsOf(raw: Raw, context = byHand) {
  const parsed = parseInputs({ ...noInputs, ...raw }, context)
  return parsed.ok ? [] : parsed.failure
}
const faulty = (...all: Parameters<typeof faultsOf>) => faultsOf(...all).map(({ input }) => input)

const valid: Record<string, string[]> = {
  'project-id': ['Ünï-1_2.3', '...'],
  'api-key': ['!~"\'<>%+'],
  'base-url': [
    'https://api.example:8443/a/b//',
    'http://localhost:3000',
    'http://127.0.0.1:1',
    'http://[::1]:80',
  ],
  prompt: ['  any\ntext '],
  'context-files': ['docs/**\n\n  !docs/x.md \n', 'a..b/..c'],
  'context-diff': ['since-last', 'False'],
  wait: ['FALSE', 'True'],
  timeout: ['1s', '120h'],
  'poll-interval': ['24h'],
  'pull-request-labels': ['docs, first issue\nai'],
  reviewers: ['requester, acme/doc.writers\nmona_acme'],
  hold: ['release'],
  'open-limit': ['100'],
  'fail-on': ['none', ' failed ,\n archived,', failable.join(',')],
  command: [`/${'d'.repeat(49)}`],
  label: ['📝'.repeat(50)],
  allowed: ['admin', 'renovate[bot], triage\n', 'write, Copilot, my_app-1'],
  'matrix-index': ['12'],
  period: ['last-28-days'],
  paths: [' /guides/** \n\n*.md\n', '/{a,b}/*\n!/a/../x'],
  'site-url': ['http://docs.example.com/a//'],
  'alert-drop': ['7 %', '0.01%'],
  'max-requests': ['10000'],
  sections: ['searches, questions\nsearches', 'none'],
  'issue-number': ['7'],
}
/** The least inputs of a mode that has this one. */
const leastFor = (input: string) => ({
  ...(input in inputsByMode.agent ? least : { ...alone, mode: 'visitors' }),
  'github-token': 't',
})

const paths = ['../x', 'a/../../x', '/etc/passwd', 'C:\\x', '\\x', '..\\x', '!../x', '!/x', 'ok\n..', 'a/..']
const invalid: Record<string, string[]> = {
  'project-id': ['', '.', '..', 'a/b', 'a\\b', 'a b', 'a\u200Bb', 'a\nb', 'a'.repeat(201)],
  'api-key': ['', 'short77', 'mint_1 2345', 'mint_12345é', 'mint_123\n45', 'mint_dsc_12345', 'mint_us_12345'],
  'base-url': [
    ...['api.example', 'ftp://api.example', 'http://api.example', 'https://', 'file:///etc/passwd'],
    ...['http://localhost.evil.example', 'http://docs.localhost', 'http://0.0.0.0', 'http://10.0.0.1'],
    ...['https://me:pw@api.example', 'https://me@api.example', 'https://:pw@api.example', 'https://a b'],
    ...['https://api.example?x', 'https://api.example/#x', 'https://api.example/?'],
  ],
  'context-files': paths,
  'allowed-paths': ['../x', '+(a)'],
  'context-diff': ['since', 'Since-last', '1'],
  'job-id': ['..', 'a/b', 'a\u202Eb'],
  wait: ['yes', '1', 'on', 'tRUE', 'True ', 'untrue', 'unfalse', 'falsey'],
  timeout: ['soon', '0s', '999.4ms', '120h1s', '60'],
  'poll-interval': ['0.5s', '24h1s', 'Auto', '5'],
  'fail-on': ['Failed', 'none, failed', 'error', 'pull-request', 'failed; archived', ','],
  'open-limit': ['0', '101', '-1', '1.5'],
  allowed: [
    ...['read', 'owner', 'Copilot', 'Write', 'renovate[bot]', 'write, admin', 'write, Admin', '*'],
    ...['write, Read', 'write, none', 'write, owner', 'write, Member', 'write, *', 'write, *[bot]'],
    ...['write, @a', 'write, a[bot]s', 'write, a b', 'write, é'],
  ],
  command: ['/do cs', '/docs\n', 'x'.repeat(51)],
  label: ['a\nb', 'x'.repeat(51)],
  'pull-request-labels': ['docs, a\tb', 'x'.repeat(51), 'x,'.repeat(101)],
  reviewers: ['@mona', 'a/b/c', 'mona lisa', 'dependabot[bot]'],
  'matrix-index': ['-1', 'x'],
  period: ['Last-week', 'last-year', 'last-week ', '7'],
  paths: ['+(a)', '{1..9}', '[[:alpha:]]'],
  'site-url': [
    'docs.example.com',
    'ftp://docs.example.com',
    'https://a@docs.example.com',
    'https://x.example?y',
  ],
  'alert-drop': ['20', '%', '0.00%', '-20%', '100.01%', '20.555%', '20 percent', '20%s', '1e1%', '2٠%'],
  'max-requests': ['0', '10001', '-1', 'many', '1.5', '9999999999'],
  sections: ['all', 'none, feedback', 'Feedback', ','],
  'issue-number': ['0', '-7', '7.0', '#7', '1234567890', 'seven'],
}

describe('an input', () => {
  it('each input accepts these texts, as these values', () => {
    const texts = Object.entries(valid).flatMap(([input, all]) => all.map((text) => [input, text] as const))
    const lines = texts.map(([input, text]) => {
      const field = input.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
      const { [field]: value } = Object(read({ ...leastFor(input), [input]: text }))
      return `${input} ${JSON.stringify(text)} → ${JSON.stringify(value instanceof Set ? [...value] : value)}`
    })
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "project-id "Ünï-1_2.3" → "Ünï-1_2.3"
      project-id "..." → "..."
      api-key "!~\\"'<>%+" → "!~\\"'<>%+"
      base-url "https://api.example:8443/a/b//" → "https://api.example:8443/a/b"
      base-url "http://localhost:3000" → "http://localhost:3000"
      base-url "http://127.0.0.1:1" → "http://127.0.0.1:1"
      base-url "http://[::1]:80" → "http://[::1]"
      prompt "  any\\ntext " → "  any\\ntext "
      context-files "docs/**\\n\\n  !docs/x.md \\n" → ["docs/**","!docs/x.md"]
      context-files "a..b/..c" → ["a..b/..c"]
      context-diff "since-last" → "since-last"
      context-diff "False" → false
      wait "FALSE" → false
      wait "True" → true
      timeout "1s" → 1000
      timeout "120h" → 432000000
      poll-interval "24h" → 86400000
      pull-request-labels "docs, first issue\\nai" → ["docs","first issue","ai"]
      reviewers "requester, acme/doc.writers\\nmona_acme" → ["requester","acme/doc.writers","mona_acme"]
      hold "release" → "release"
      open-limit "100" → 100
      fail-on "none" → []
      fail-on " failed ,\\n archived," → ["archived","failed"]
      fail-on "out-of-bounds,no-changes,archived,failed,timed-out,alert" → ["out-of-bounds","no-changes","archived","failed","timed-out","alert"]
      command "/ddddddddddddddddddddddddddddddddddddddddddddddddd" → "/ddddddddddddddddddddddddddddddddddddddddddddddddd"
      label "📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝" → "📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝📝"
      allowed "admin" → {"role":"admin","bots":[]}
      allowed "renovate[bot], triage\\n" → {"role":"triage","bots":["renovate[bot]"]}
      allowed "write, Copilot, my_app-1" → {"role":"write","bots":["Copilot","my_app-1"]}
      matrix-index "12" → "12"
      period "last-28-days" → "last-28-days"
      paths " /guides/** \\n\\n*.md\\n" → ["/guides/**","*.md"]
      paths "/{a,b}/*\\n!/a/../x" → ["/{a,b}/*","!/a/../x"]
      site-url "http://docs.example.com/a//" → "http://docs.example.com/a"
      alert-drop "7 %" → 0.07
      alert-drop "0.01%" → 0.0001
      max-requests "10000" → 10000
      sections "searches, questions\\nsearches" → ["questions","searches"]
      sections "none" → []
      issue-number "7" → 7"
    `)
  })

  it.each(Object.entries(invalid))('the input %s rejects each of %j, and shows it', (input, texts) => {
    for (const text of texts) {
      const faults = faultsOf({ ...leastFor(input), [input]: text })
      expect(
        faults.map((fault) => fault.input),
        text,
      ).toEqual([input])
      expect(faults[0]?.expected).not.toBe('')
      const [shown = 'nothing'] = text.slice(0, 20).match(/^[\x20-\x7E]+/) ?? []
      if (input !== 'api-key') expect(faults[0]?.got).toContain(shown.trimEnd())
    }
  })

  it('an input has its default if it is empty', () => {
    expect(read(least)).toMatchInlineSnapshot(`
      {
        "agentLogin": "mintlify[bot]",
        "allowed": {
          "bots": [],
          "role": "write",
        },
        "allowedPaths": [],
        "apiKey": "mint_0123456789",
        "baseUrl": "https://api.mintlify.com",
        "command": null,
        "contextDiff": true,
        "contextFiles": [],
        "contextPaths": [],
        "dryRun": false,
        "failOn": Set {
          "failed",
          "timed-out",
        },
        "githubToken": null,
        "hold": null,
        "jobId": null,
        "label": null,
        "matrixIndex": null,
        "mode": "agent",
        "openLimit": null,
        "pollInterval": "auto",
        "projectId": "docs",
        "prompt": "Fix the page",
        "promptFile": null,
        "pullRequestLabels": [],
        "reviewers": [],
        "timeout": 3600000,
        "wait": true,
      }
    `)
  })

  it('an input of mode settle has its default, and by default, no outcome fails the step', () => {
    const settle = { ...alone, mode: 'settle', 'github-token': 't', 'fail-on': 'failed, timed-out' }
    expect(read(settle)).toMatchInlineSnapshot(`
      {
        "agentLogin": "mintlify[bot]",
        "allowedPaths": [],
        "apiKey": "mint_0123456789",
        "baseUrl": "https://api.mintlify.com",
        "command": null,
        "dryRun": false,
        "failOn": Set {},
        "githubToken": "t",
        "mode": "settle",
        "projectId": "docs",
        "pullRequestLabels": [],
        "reviewers": [],
        "timeout": 3600000,
      }
    `)
    expect(read({ ...settle, 'fail-on': 'failed' })).toMatchObject({ failOn: new Set(['failed']) })
  })

  it('an input of mode visitors has its default', () => {
    const isShared = ([name]: [string, unknown]) => name in read(least) && name !== 'mode'
    const own = Object.entries(read({ ...alone, mode: 'visitors' })).filter((each) => !isShared(each))
    expect(Object.fromEntries(own)).toMatchInlineSnapshot(`
      {
        "alertDrop": null,
        "dateFrom": null,
        "dateTo": null,
        "issueNumber": null,
        "maxRequests": 40,
        "mode": "visitors",
        "paths": [],
        "period": "last-week",
        "reportDir": null,
        "sections": Set {},
        "siteUrl": null,
      }
    `)
  })

  it('a fault shows a long and hostile value shortened and on one line', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 500 }), (text, times) => {
        const faults = faultsOf({ ...least, timeout: `x${text.repeat(times)}` })
        expect(faults).toHaveLength(1)
        expect(faults[0]?.got.length).toBeLessThanOrEqual(82)
        expect(faults[0]?.got).not.toMatch(/[\p{Cc}\u202E\u200B]/u)
      }),
    )
  })
})

describe('the inputs together', () => {
  /** Inputs as `name=value`, with what has a fault. */
  const combinations = `
    prompt=a prompt-file=b                                     | prompt-file
                                                               | prompt
    github-token=t command=/docs                               | prompt
    job-id=j context-files=a                                   | context-files
    job-id=j wait=false                                        | wait
    github-token=t prompt=a context-paths=a context-diff=false | context-paths
    github-token=t prompt=a hold=release open-limit=1          | open-limit
    prompt=a label=docs                                        | github-token
    prompt=a context-paths=a                                   | github-token
    prompt=a open-limit=1                                      | github-token
    prompt=a reviewers=mona                                    | github-token
    prompt=a pull-request-labels=docs                          | github-token
    prompt=a hold=merge                                        | github-token
    mode=settle                                                | github-token
    mode=visitors issue-number=7                               | github-token
    mode=visitors date-to=2026-11-09                           | date-from
    mode=visitors date-from=2026-11-02                         | date-to
    mode=visitors date-from=2026-11-09 date-to=2026-11-09      | date-to
    mode=visitors date-from=2026-11-09T00:00:00Z date-to=2026-11-09T02:00:00+02:00 | date-to
    mode=visitors date-from=2026-11-02 date-to=2026-11-19      | date-to
    mode=visitors date-from=2026-11-02 date-to=2026-11-18T00:01:00Z | date-to
    mode=visitors date-from=x date-to=y                        | date-from,date-to
    mode=visitors date-from=2026-11-17 date-to=2026-11-18      |
    mode=visitors date-from=2026-11-02T00:00:00Z date-to=2026-11-09T12:00:00.5-11:00 |
    prompt=a                                                   |
    prompt-file=a                                              |
    job-id=j                                                   |
    job-id=j prompt=a wait=false                               |
    job-id=j prompt-file=a context-files=b                     |
    prompt=a command=/docs                                     |
    on-comment command=/docs                                   | github-token
    on-comment command=/docs github-token=t                    |`
  it.each(rowsOf(combinations))('the inputs “%s” have faults in “%s”', (text = '', expected) => {
    const given = text.split(' ').map((each) => each.split('='))
    const raw = Object.fromEntries(given.filter(([, value]) => value !== undefined))
    const isComment = text.startsWith('on-comment')
    expect(faulty({ ...alone, ...raw }, { ...byHand, isComment }).join()).toBe(expected)
  })

  it('malformed values and contradictions are all reported at once', () => {
    const wrong = { 'base-url': 'http://x.example', 'context-diff': '?', timeout: 'soon', wait: 'perhaps' }
    expect(faulty({ ...wrong, prompt: 'a', 'prompt-file': 'b' }).toSorted()).toEqual(
      ['project-id', 'api-key', ...Object.keys(wrong), 'prompt-file'].toSorted(),
    )
    expect(faulty({ mode: 'x', ...wrong })).toEqual(['mode', 'project-id', 'api-key', 'base-url', 'timeout'])
  })

  it('the inputs never throw, and faults name only known inputs', () => {
    const mode = fc.constantFrom('agent', 'visitors', 'settle')
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...inputNames), hostileText), mode, (raw, mode) => {
        expect(inputNames).toEqual(expect.arrayContaining(faulty({ ...raw, mode })))
      }),
    )
  })

  const isRejected = (date: string) =>
    faulty({ ...alone, mode: 'visitors', 'date-from': date, 'date-to': '2026-11-18' }).includes('date-from')

  it.each([
    ...['2000-01-01', '2024-02-29', '2026-11-02T00:00:00+01:00', '2026-11-02T23:59:00Z'],
    ...['2026-11-02T00:00:00.123456789-11:30', '2024-02-29T12:00:00+14:00'],
  ])('%s is a date', (date) => {
    expect(isRejected(date)).toBe(false)
  })

  it.each([
    ...['2026-02-29', '2100-02-29', '2026-13-01', '2026-00-10', '2026-01-32', '2026', '2026-11', '2026-1-2'],
    ...['26-11-02', '+002026-11-02', ' 2026-11-02', '2026-11-02\n', '02.11.2026', '2026/11/02'],
    ...[
      '٢٠٢٦-11-02',
      'today',
      '2026-11-02T00:00:00',
      '2026-11-02T24:01:00Z',
      '2026-02-30T00:00:00Z',
      '2026-11-02T00:00Z',
    ],
    ...['2026-11-02 00:00:00Z', '2026-11-02T00:00:00+25:00', '2026-11-02T00:00:00+0100'],
  ])('%j is not a date', (date) => {
    expect(isRejected(date)).toBe(true)
  })
})

describe('an input of another mode', () => {
  const given = { ...alone, 'github-token': 't' }
  const prompts: Record<Mode, Raw> = { agent: { prompt: 'x' }, visitors: {}, settle: {} }
  const modes = Object.keys(prompts) as Mode[]
  /** Values other than the default, for inputs that do not accept `x`. */
  const values: Raw = { wait: 'false', 'poll-interval': '10s', 'context-diff': 'false', hold: 'merge' }
  Object.assign(values, {
    period: 'last-month',
    'max-requests': '5',
    sections: 'feedback',
    'date-to': '2026-11-16',
  })

  it.each(inputNames.filter((name) => name !== 'mode' && name !== 'matrix-index'))(
    'the input %s is rejected in each mode that does not read it',
    (input) => {
      const text = values[input] ?? 'x'
      const owners = modes.filter((mode) => input in inputsByMode[mode])
      for (const mode of modes.filter((each) => !owners.includes(each))) {
        const expected = `nothing in mode ${mode} (it belongs to mode ${owners.join(' or ')})`
        const raw = { ...given, ...prompts[mode], mode, [input]: text }
        expect(faultsOf(raw)).toEqual([{ input, got: `"${text}"`, expected }])
      }
    },
  )

  it('an input of another mode is accepted if it has its default, because the runner fills in defaults', () => {
    const inputs = Object.entries(readAction().inputs).map(([name, { default: fallback = '' }]) => {
      return [name, fallback.startsWith('$') ? '' : fallback]
    })
    for (const mode of modes)
      expect(faultsOf({ ...Object.fromEntries(inputs), ...given, ...prompts[mode], mode })).toEqual([])
  })
})

describe('a secret', () => {
  it.each([
    ['', 'nothing'],
    ['mint_dsc_secret99', 'an assistant key (`mint_dsc_…`)'],
    ['mint_us_secret99', 'an index key (`mint_us_…`)'],
    ['secret9', '7 characters'],
    ['secret 99', 'white space'],
    ['s'.repeat(513), '513 characters'],
  ])('an unusable key (%j) is described', (key, said) => {
    expect(faultsOf({ ...least, 'api-key': key })[0]?.got).toContain(said)
  })

  it.each(['project-id', 'timeout', 'job-id', 'base-url', 'fail-on'])(
    'a key or token is not shown, not even in part, if the input %s contains it',
    (input) => {
      const key = `mint_${'k3Y'.repeat(40)}`
      const token = `ghs_${'t0K'.repeat(40)}`
      const inputs = { ...least, 'api-key': key, 'github-token': token, [input]: `/ ${key} ${token}` }
      expect(JSON.stringify(faultsOf(inputs))).not.toMatch(/k3Y|t0K/)
      expect(JSON.stringify(faultsOf({ ...least, [input]: `/ ${key}` }))).not.toContain('k3Y')
    },
  )

  it.each<[string, string, Raw]>([
    ['command', `/docs-${alone['api-key']}`, least],
    ['command', encodeURIComponent('/k<e>y/1'), { ...least, 'api-key': '/k<e>y/1' }],
    ['site-url', `https://docs.example/${alone['api-key']}`, { ...alone, mode: 'visitors' }],
    ['agent-login', 'ghs0123456789', { ...least, 'github-token': 'ghs0123456789' }],
    ['github-token', alone['api-key'], least],
  ])(
    'an input that contains a secret is rejected, because a comment could show it: %s',
    (input, value, raw) => {
      expect(faulty({ ...raw, [input]: value })).toContain(input)
      const others = { 'api-key': 'mint_9876543210', 'github-token': 'ghs_9876' }
      expect(faulty({ ...raw, ...others, [input]: value })).toEqual([])
    },
  )

  it('a fault shows at most the public prefix of an unusable key', () => {
    const text = fc.string({ unit: fc.constantFrom(...'QZXJ0189'), minLength: 4, maxLength: 60 })
    const wrap = fc.constantFrom('mint_dsc_…', 'mint_us_…', '… …', 'é…')
    fc.assert(
      fc.property(text, wrap, (secret, wrapped) => {
        const faults = faultsOf({ ...least, 'api-key': wrapped.replaceAll('…', secret) })
        expect(faults.map(({ input }) => input)).toEqual(['api-key'])
        expect(JSON.stringify(faults)).not.toContain(secret.slice(0, 4))
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAction } from '../../../sandbox/runner/action.ts'
import { modeOf, parseInputs } from '../../../src/core/inputs/inputs.ts'
import { type AgentInputs, inputNames, type SettleInputs } from '../../../src/core/inputs/schema.ts'
import { failable } from '../../../src/core/outcome.ts'
import { parseVisitorsInputs } from '../../../src/visitors/inputs.ts'
import { hostileText } from '../samples.ts'

const byHand = { isComment: false, now: Date.UTC(2026, 10, 18) }
const least = { 'project-id': 'docs', 'api-key': 'mint_0123456789', prompt: 'Fix the page' }

function read(more: Record<string, string>): AgentInputs {
  const parsed = parseInputs({ ...least, ...more }, byHand)
  if (!parsed.ok || parsed.inputs.mode !== 'agent') throw new Error(JSON.stringify(parsed))
  return parsed.inputs
}

function faultsOf(more: Record<string, string>, base: Record<string, string> = least) {
  const raw: Record<string, string> = { ...base, ...more }
  const parsed = modeOf(raw) === 'visitors' ? parseVisitorsInputs(raw, byHand) : parseInputs(raw, byHand)
  return parsed.ok ? [] : parsed.faults
}

const valid: [input: string, text: string, field: keyof AgentInputs, value: unknown][] = [
  ['project-id', 'a', 'projectId', 'a'],
  ['project-id', 'Ünï-1_2.3', 'projectId', 'Ünï-1_2.3'],
  ['project-id', '...', 'projectId', '...'],
  ['api-key', 'mint_abc', 'apiKey', 'mint_abc'],
  ['api-key', '!~"\'<>%+', 'apiKey', '!~"\'<>%+'],
  ['base-url', 'https://api.example', 'baseUrl', 'https://api.example'],
  ['base-url', 'https://api.example/', 'baseUrl', 'https://api.example'],
  ['base-url', 'https://api.example:8443/a/b//', 'baseUrl', 'https://api.example:8443/a/b'],
  ['base-url', 'http://localhost:3000', 'baseUrl', 'http://localhost:3000'],
  ['base-url', 'http://127.0.0.1:1', 'baseUrl', 'http://127.0.0.1:1'],
  ['base-url', 'http://[::1]:80', 'baseUrl', 'http://[::1]'],
  ['prompt', '  any\ntext ', 'prompt', '  any\ntext '],
  ['context-files', 'docs/**\n\n  !docs/x.md \n', 'contextFiles', ['docs/**', '!docs/x.md']],
  ['context-files', 'a..b/c..', 'contextFiles', ['a..b/c..']],
  ['context-diff', 'since-last', 'contextDiff', 'since-last'],
  ['context-diff', 'False', 'contextDiff', false],
  ['job-id', 'job_1', 'jobId', 'job_1'],
  ['wait', 'FALSE', 'wait', false],
  ['wait', 'True', 'wait', true],
  ['timeout', '1s', 'timeout', 1000],
  ['timeout', '120h', 'timeout', 432_000_000],
  ['timeout', '1h30m', 'timeout', 5_400_000],
  ['poll-interval', 'auto', 'pollInterval', 'auto'],
  ['poll-interval', '1s', 'pollInterval', 1000],
  ['poll-interval', '24h', 'pollInterval', 86_400_000],
  [
    'pull-request-labels',
    'docs, good first issue\nai',
    'pullRequestLabels',
    ['docs', 'good first issue', 'ai'],
  ],
  ['reviewers', 'requester, acme/doc.writers\nmona', 'reviewers', ['requester', 'acme/doc.writers', 'mona']],
  ['hold', 'release', 'hold', 'release'],
  ['fail-on', 'none', 'failOn', new Set()],
  ['fail-on', ' failed ,\n archived,', 'failOn', new Set(['failed', 'archived'])],
  ['fail-on', failable.join(','), 'failOn', new Set(failable)],
  ['dry-run', 'true', 'dryRun', true],
  ['allowed-paths', 'docs/**\n!docs/api/**', 'allowedPaths', ['docs/**', '!docs/api/**']],
  ['command', `/${'d'.repeat(49)}`, 'command', `/${'d'.repeat(49)}`],
  ['allowed', 'admin', 'allowed', { role: 'admin', bots: [] }],
  [
    'allowed',
    'renovate[bot], triage\n dependabot[bot],',
    'allowed',
    { role: 'triage', bots: ['renovate[bot]', 'dependabot[bot]'] },
  ],
  ['matrix-index', '12', 'matrixIndex', '12'],
]

const invalid: [input: string, text: string][] = [
  ...['', '.', '..', 'a/b', 'a\\b', 'a b', 'a\u200Bb', 'a\nb', 'a'.repeat(201)].map(
    (text): [string, string] => ['project-id', text],
  ),
  ...['', 'short', 'mint_1 2345', 'mint_12345é', 'mint_123\n45', 'mint_dsc_12345', 'mint_us_12345'].map(
    (text): [string, string] => ['api-key', text],
  ),
  ...[
    ...[
      'api.example',
      'ftp://api.example',
      'http://api.example',
      'http://localhost.evil.example',
      'http://docs.localhost',
      'https://',
    ],
    ...['http://127.0.0.1.evil.example', 'http://0.0.0.0', 'http://10.0.0.1', 'https://me:pw@api.example'],
    ...[
      'https://me@api.example',
      'https://api.example?x',
      'https://api.example/#x',
      'https://a b',
      'file:///etc/passwd',
    ],
    'https://api.example/?',
  ].map((text): [string, string] => ['base-url', text]),
  ...['../x', 'a/../../x', '/etc/passwd', 'C:\\x', '\\x', '..\\x', '!../x', '!/x', 'ok\n..', 'a/..'].map(
    (text): [string, string] => ['context-files', text],
  ),
  ...['since', 'Since-last', '1'].map((text): [string, string] => ['context-diff', text]),
  ...['.', '..', 'a/b', 'a b', 'a\u202Eb'].map((text): [string, string] => ['job-id', text]),
  ...['yes', '1', 'on', 'tRUE', 'True '].map((text): [string, string] => ['wait', text]),
  ...['soon', '0s', '999.4ms', '120h1s', '60'].map((text): [string, string] => ['timeout', text]),
  ...['0s', '0.5s', '24h1s', 'Auto', '5'].map((text): [string, string] => ['poll-interval', text]),
  ...['Failed', 'none, failed', 'error', 'pull-request', 'failed; archived'].map((text): [string, string] => [
    'fail-on',
    text,
  ]),
  ...['no', '0'].map((text): [string, string] => ['dry-run', text]),
  ...['read', 'none', 'owner', 'write, admin', 'renovate[bot]', 'write, renovate', 'write, *[bot]'].map(
    (text): [string, string] => ['allowed', text],
  ),
  ...['../x', '/docs/**', `${'*a'.repeat(9)}`].map((text): [string, string] => ['allowed-paths', text]),
  ...['/do cs', '/docs\n', 'x'.repeat(51)].map((text): [string, string] => ['command', text]),
  ...['a\nb', 'x'.repeat(51)].map((text): [string, string] => ['label', text]),
  ...['docs, a\tb', 'x'.repeat(51), 'x,'.repeat(101)].map((text): [string, string] => [
    'pull-request-labels',
    text,
  ]),
  ...['@mona', 'a/b/c', 'mona lisa', 'dependabot[bot]'].map((text): [string, string] => ['reviewers', text]),
  ...['-1', 'x'].map((text): [string, string] => ['matrix-index', text]),
]

describe('an input', () => {
  it.each(valid)('the input %s accepts %j', (input, text, field, value) => {
    const token: Record<string, string> = /label|review|hold/.test(input) ? { 'github-token': 't' } : {}
    expect(read({ [input]: text, ...token })[field]).toEqual(value)
  })

  it.each(invalid)(
    'the input %s rejects %j, and the fault says what is expected and, except for the key, what was given',
    (input, text) => {
      const faults = faultsOf({ [input]: text, 'github-token': 't' })
      expect(faults.map((fault) => fault.input)).toEqual([input])
      expect(faults[0]?.expected).not.toBe('')
      const shown =
        text
          .slice(0, 20)
          .match(/^[\x20-\x7E]+/)?.[0]
          .trimEnd() ?? 'nothing'
      if (input !== 'api-key') expect(faults[0]?.got).toContain(shown)
    },
  )

  it('an input has its default if it is absent or empty', () => {
    const { projectId, apiKey, prompt, ...defaults } = read({})
    expect({ projectId, apiKey, prompt }).toEqual({
      projectId: 'docs',
      apiKey: 'mint_0123456789',
      prompt: 'Fix the page',
    })
    expect(defaults).toEqual({
      mode: 'agent',
      contextDiff: true,
      contextPaths: [],
      agentLogin: 'mintlify[bot]',
      openLimit: null,
      allowed: { role: 'write', bots: [] },
      allowedPaths: [],
      pullRequestLabels: [],
      reviewers: [],
      hold: null,
      label: null,
      matrixIndex: null,
      command: null,
      githubToken: null,
      baseUrl: 'https://api.mintlify.com',
      promptFile: null,
      contextFiles: [],
      jobId: null,
      wait: true,
      timeout: 3_600_000,
      pollInterval: 'auto',
      failOn: new Set(['failed', 'timed-out']),
      dryRun: false,
    })
    const empty = Object.fromEntries(inputNames.map((name) => [name, '']))
    expect(read({ ...empty, ...least })).toEqual(read({}))
  })

  it.each(['needs docs', 'docs: now, please', '👩‍💻 文档', '📝'.repeat(50)])(
    'the input label accepts %j',
    (label) => {
      expect(read({ label, 'github-token': 't' }).label).toBe(label)
    },
  )

  it('a fault shows a long and hostile value shortened and on one line', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 500 }), (text, times) => {
        const faults = faultsOf({ timeout: `x${text.repeat(times)}` })
        expect(faults).toHaveLength(1)
        expect(faults[0]?.got.length).toBeLessThanOrEqual(82)
        expect(faults[0]?.got).not.toMatch(/[\p{Cc}\u202E\u200B]/u)
      }),
    )
  })
})

describe('the inputs together', () => {
  const alone = { 'project-id': 'docs', 'api-key': 'mint_0123456789' }

  it.each([
    ['prompt and prompt-file', { prompt: 'a', 'prompt-file': 'b' }, ['prompt-file']],
    ['no prompt, no file, no job', {}, ['prompt']],
    ['context without a prompt to append it to', { 'job-id': 'j', 'context-files': 'a' }, ['context-files']],
    ['a label and no token to check the sender', { prompt: 'a', label: 'docs' }, ['github-token']],
    ['context-paths and no token to read the diff', { prompt: 'a', 'context-paths': 'a' }, ['github-token']],
    [
      'a hold, which waits for one change, and open-limit, which combines several',
      { prompt: 'a', hold: 'merge', 'open-limit': '1', 'github-token': 't' },
      ['open-limit'],
    ],
    ['a hold and no token to set its status', { prompt: 'a', hold: 'merge' }, ['github-token']],
    ['reviewers and no token to request them', { prompt: 'a', reviewers: 'mona' }, ['github-token']],
    ['open-limit and no token to count pull requests', { prompt: 'a', 'open-limit': '1' }, ['github-token']],
    [
      'context-paths without a diff',
      { prompt: 'a', 'context-paths': 'a', 'context-diff': 'false', 'github-token': 't' },
      ['context-paths'],
    ],
    ['`wait: false` for a job without a prompt', { 'job-id': 'j', wait: 'false' }, ['wait']],
  ])('a combination of inputs is rejected: %s', (_, inputs, faulty) => {
    expect(faultsOf(inputs, alone).map(({ input }) => input)).toEqual(faulty)
  })

  it.each([
    ['a prompt', { prompt: 'a' }],
    ['a prompt file', { 'prompt-file': 'a' }],
    ['a job', { 'job-id': 'j' }],
    ['a job and a prompt', { 'job-id': 'j', prompt: 'a' }],
    ['a job, a prompt and no waiting', { 'job-id': 'j', prompt: 'a', wait: 'false' }],
    ['a job, a prompt file and context', { 'job-id': 'j', 'prompt-file': 'a', 'context-files': 'b' }],
  ])('a combination of inputs is accepted: %s', (_, inputs) => {
    expect(faultsOf(inputs, alone)).toEqual([])
  })

  it('a step with a command needs a token on a comment event, and a prompt on any other event', () => {
    const check = (more: Record<string, string>, isComment: boolean) => {
      const parsed = parseInputs({ ...alone, command: '/docs', ...more }, { ...byHand, isComment })
      return parsed.ok ? [] : parsed.faults.map(({ input }) => input)
    }
    expect(check({ prompt: 'a' }, false)).toEqual([])
    expect(check({}, true)).toEqual(['github-token'])
    expect(check({ 'github-token': 't' }, true)).toEqual([])
    expect(check({ 'github-token': 't' }, false)).toEqual(['prompt'])
  })

  it('malformed values and contradictions are all reported at once', () => {
    const faulty = faultsOf(
      {
        'base-url': 'http://x.example',
        'prompt-file': 'b',
        'context-diff': '?',
        timeout: 'soon',
        wait: 'perhaps',
      },
      { prompt: 'a' },
    ).map(({ input }) => input)
    expect(faulty.toSorted()).toEqual(
      ['project-id', 'api-key', 'base-url', 'context-diff', 'timeout', 'wait', 'prompt-file'].toSorted(),
    )
  })

  it('the inputs never throw, and faults name only known inputs', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...inputNames), hostileText), (raw) => {
        const parsed = parseInputs(raw, byHand)
        if (!parsed.ok) expect(parsed.faults.map(({ input }) => input)).not.toHaveLength(0)
        if (!parsed.ok) for (const { input } of parsed.faults) expect(inputNames).toContain(input)
      }),
    )
  })
})

describe('mode settle', () => {
  const settle = { mode: 'settle', 'project-id': 'docs', 'api-key': 'mint_0123456789', 'github-token': 't' }
  const readSettle = (more: Record<string, string>): SettleInputs => {
    const parsed = parseInputs({ ...settle, ...more }, byHand)
    if (!parsed.ok || parsed.inputs.mode !== 'settle') throw new Error(JSON.stringify(parsed))
    return parsed.inputs
  }

  it('mode settle reads its inputs, and by default no outcome fails the step', () => {
    expect(
      readSettle({ 'fail-on': 'failed, timed-out', 'allowed-paths': 'docs/**', command: '/docs' }),
    ).toEqual({
      mode: 'settle',
      projectId: 'docs',
      apiKey: 'mint_0123456789',
      githubToken: 't',
      baseUrl: 'https://api.mintlify.com',
      timeout: 3_600_000,
      failOn: new Set(),
      dryRun: false,
      agentLogin: 'mintlify[bot]',
      allowedPaths: ['docs/**'],
      pullRequestLabels: [],
      reviewers: [],
      command: '/docs',
    })
    expect(readSettle({ 'fail-on': 'failed' }).failOn).toEqual(new Set(['failed']))
  })

  it('mode settle needs a token', () => {
    expect(faultsOf({ ...settle, 'github-token': '' }, {}).map(({ input }) => input)).toEqual([
      'github-token',
    ])
  })
})

describe('an input of another mode', () => {
  const given: Record<string, string> = {
    'project-id': 'docs',
    'api-key': 'mint_0123456789',
    'github-token': 't',
  }
  const prompts: Record<string, Record<string, string>> = { agent: { prompt: 'x' }, visitors: {}, settle: {} }
  /** Inputs, each with a value other than its default and the modes that read it. */
  const owners: [input: string, text: string, modes: string[]][] = [
    ...['prompt', 'prompt-file', 'context-files', 'job-id', 'allowed', 'context-paths', 'label'].map(
      (input): [string, string, string[]] => [input, 'x', ['agent']],
    ),
    ['wait', 'false', ['agent']],
    ['poll-interval', '10s', ['agent']],
    ['context-diff', 'false', ['agent']],
    ['open-limit', '1', ['agent']],
    ['hold', 'merge', ['agent']],
    ['agent-login', 'mona', ['agent', 'settle']],
    ['allowed-paths', 'docs/**', ['agent', 'settle']],
    ['pull-request-labels', 'docs', ['agent', 'settle']],
    ['reviewers', 'mona', ['agent', 'settle']],
    ['command', '/docs', ['agent', 'visitors', 'settle']],
    ['date-from', '2026-11-09', ['visitors']],
    ['date-to', '2026-11-16', ['visitors']],
    ['period', 'last-month', ['visitors']],
    ['paths', '/a', ['visitors']],
    ['site-url', 'https://docs.example.com', ['visitors']],
    ['alert-drop', '20%', ['visitors']],
    ['max-requests', '5', ['visitors']],
    ['sections', 'feedback', ['visitors']],
    ['report-dir', 'reports', ['visitors']],
    ['issue-number', '7', ['visitors']],
  ]
  const foreign = owners.flatMap(([input, text, modes]) =>
    Object.keys(prompts)
      .filter((mode) => !modes.includes(mode))
      .map((mode): [string, string, string, string] => [mode, input, text, modes.join(' or ')]),
  )

  it.each(foreign)('mode %s rejects the input %s', (mode, input, text, owner) => {
    const expected = `nothing in mode ${mode} (it belongs to mode ${owner})`
    expect(faultsOf({ ...given, ...prompts[mode], mode, [input]: text }, {})).toEqual([
      { input, got: `"${text}"`, expected },
    ])
  })

  it('an input of another mode is accepted if it has its default, because the runner fills in defaults', () => {
    const defaults = Object.fromEntries(
      Object.entries(readAction().inputs).map(([name, { default: fallback = '' }]) => [
        name,
        fallback.startsWith('$') ? '' : fallback,
      ]),
    )
    for (const [mode, more] of Object.entries(prompts))
      expect(faultsOf({ ...defaults, ...given, ...more, mode }, {})).toEqual([])
  })

  it('an input is missing from the list of these tests only if every mode reads it', () => {
    const everywhere = ['mode', 'project-id', 'api-key', 'base-url', 'github-token', 'timeout', 'fail-on']
    const listed = [...everywhere, 'dry-run', 'matrix-index', ...owners.map(([input]) => input)]
    expect(listed.toSorted()).toEqual(inputNames.toSorted())
  })
})

describe('a key that cannot be used', () => {
  it.each([
    ['', 'nothing'],
    ['mint_dsc_secret99', 'assistant key'],
    ['mint_us_secret99', 'index key'],
    ['secret9', 'only 7 characters'],
    ['secret 99', 'white space'],
  ])('an unusable key (%j) is described', (key, said) => {
    expect(faultsOf({ 'api-key': key })[0]?.got).toContain(said)
  })

  it.each(['project-id', 'timeout', 'job-id', 'base-url', 'fail-on'])(
    'a key or token is not shown, not even in part, if the input %s contains it',
    (input) => {
      const key = `mint_${'k3Y'.repeat(40)}`
      const token = `ghs_${'t0K'.repeat(40)}`
      const inputs = { 'api-key': key, 'github-token': token, [input]: `/ ${key} ${token}` }
      expect(JSON.stringify(faultsOf(inputs))).not.toMatch(/k3Y|t0K/)
      expect(JSON.stringify(faultsOf({ [input]: `/ ${key}` }))).not.toContain('k3Y')
    },
  )

  it.each([
    ['command', `/docs-${least['api-key']}`, least],
    ['command', encodeURIComponent('/k<e>y/1'), { ...least, 'api-key': '/k<e>y/1' }],
    ['site-url', `https://docs.example/${least['api-key']}`, { ...least, mode: 'visitors', prompt: '' }],
    ['agent-login', 'ghs0123456789', { ...least, 'github-token': 'ghs0123456789' }],
    ['github-token', least['api-key'], least],
  ])(
    'an input that contains a secret is rejected, because a comment could show the secret: %s',
    (input, value, base) => {
      expect(faultsOf({ [input]: value }, base).map((fault) => fault.input)).toContain(input)
      const other = faultsOf(
        { [input]: value },
        { ...base, 'api-key': 'mint_9876543210', 'github-token': 'ghs_9876' },
      )
      expect(other).toEqual([])
    },
  )

  it('a fault shows at most the public prefix of an unusable key', () => {
    const secret = fc.string({ unit: fc.constantFrom(...'QZXJ0189'), minLength: 4, maxLength: 60 })
    const wrong = secret.chain((text) =>
      fc
        .constantFrom(`mint_dsc_${text}`, `mint_us_${text}`, `${text} ${text}`, `é${text}`, text.slice(0, 7))
        .map((key) => ({ key, text })),
    )
    fc.assert(
      fc.property(wrong, ({ key, text }) => {
        const faults = faultsOf({ 'api-key': key })
        expect(faults.map(({ input }) => input)).toEqual(['api-key'])
        expect(JSON.stringify(faults)).not.toContain(text.slice(0, 4))
      }),
    )
  })
})

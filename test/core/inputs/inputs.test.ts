import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AgentInputs, inputNames, parseInputs } from '../../../src/core/inputs/inputs.ts'
import { failable } from '../../../src/core/outcome.ts'
import { hostileText } from '../samples.ts'

const byHand = { isComment: false, now: Date.UTC(2026, 10, 18) }
const least = { 'project-id': 'docs', 'api-key': 'mint_0123456789', prompt: 'Fix the page' }

function read(more: Record<string, string>): AgentInputs {
  const parsed = parseInputs({ ...least, ...more }, byHand)
  if (!parsed.ok || parsed.inputs.mode !== 'agent') throw new Error(JSON.stringify(parsed))
  return parsed.inputs
}

function faultsOf(more: Record<string, string>, base: Record<string, string> = least) {
  const parsed = parseInputs({ ...base, ...more }, byHand)
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
  ['base-url', 'http://api.localhost', 'baseUrl', 'http://api.localhost'],
  ['base-url', 'http://127.0.0.1:1', 'baseUrl', 'http://127.0.0.1:1'],
  ['base-url', 'http://127.9.8.7', 'baseUrl', 'http://127.9.8.7'],
  ['base-url', 'http://[::1]:80', 'baseUrl', 'http://[::1]'],
  ['prompt', '  any\ntext ', 'prompt', '  any\ntext '],
  ['context-files', 'docs/**\n\n  !docs/x.md \n', 'contextFiles', ['docs/**', '!docs/x.md']],
  ['context-files', 'a..b/c..', 'contextFiles', ['a..b/c..']],
  ['context-limit', '0', 'contextLimit', 0],
  ['context-limit', '64KiB', 'contextLimit', 65_536],
  ['job-id', 'job_1', 'jobId', 'job_1'],
  ['wait', 'FALSE', 'wait', false],
  ['wait', 'True', 'wait', true],
  ['timeout', '1s', 'timeout', 1000],
  ['timeout', '120h', 'timeout', 432_000_000],
  ['timeout', '1h30m', 'timeout', 5_400_000],
  ['poll-interval', 'auto', 'pollInterval', 'auto'],
  ['poll-interval', '1s', 'pollInterval', 1000],
  ['poll-interval', '24h', 'pollInterval', 86_400_000],
  ['fail-on', 'none', 'failOn', new Set()],
  ['fail-on', ' failed ,\n archived,', 'failOn', new Set(['failed', 'archived'])],
  ['fail-on', failable.join(','), 'failOn', new Set(failable)],
  ['dry-run', 'true', 'dryRun', true],
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
  ...['-1', '1GiB', 'much'].map((text): [string, string] => ['context-limit', text]),
  ...['.', '..', 'a/b', 'a b', 'a\u202Eb'].map((text): [string, string] => ['job-id', text]),
  ...['yes', '1', 'on', 'tRUE', 'True '].map((text): [string, string] => ['wait', text]),
  ...['soon', '0s', '999.4ms', '120h1s', '60'].map((text): [string, string] => ['timeout', text]),
  ...['0s', '0.5s', '24h1s', 'Auto', '5'].map((text): [string, string] => ['poll-interval', text]),
  ...['Failed', 'none, failed', 'error', 'pull-request', 'failed; archived'].map((text): [string, string] => [
    'fail-on',
    text,
  ]),
  ...['no', '0'].map((text): [string, string] => ['dry-run', text]),
]

describe('an input', () => {
  it.each(valid)('%s takes %j', (input, text, field, value) => {
    expect(read({ [input]: text })[field]).toEqual(value)
  })

  it.each(invalid)('%s refuses %j, naming what it got and what it takes', (input, text) => {
    const faults = faultsOf({ [input]: text })
    expect(faults.map((fault) => fault.input)).toEqual([input])
    expect(faults[0]?.expected).not.toBe('')
    const shown =
      text
        .slice(0, 20)
        .match(/^[\x20-\x7E]+/)?.[0]
        .trimEnd() ?? 'nothing'
    if (input !== 'api-key') expect(faults[0]?.got).toContain(shown)
  })

  it('has its default where it is absent, and where it is empty', () => {
    const { projectId, apiKey, prompt, ...defaults } = read({})
    expect({ projectId, apiKey, prompt }).toEqual({
      projectId: 'docs',
      apiKey: 'mint_0123456789',
      prompt: 'Fix the page',
    })
    expect(defaults).toEqual({
      mode: 'agent',
      contextDiff: false,
      contextPaths: [],
      agentLogin: 'mintlify[bot]',
      openLimit: null,
      onOpenLimit: 'skip',
      allowedBots: [],
      command: '',
      followUp: true,
      githubToken: '',
      reply: true,
      requiredPermission: 'write',
      baseUrl: 'https://api.mintlify.com',
      promptFile: '',
      contextFiles: [],
      contextLimit: 262_144,
      jobId: '',
      wait: true,
      timeout: 3_600_000,
      pollInterval: 'auto',
      failOn: new Set(['failed', 'timed-out']),
      dryRun: false,
    })
    const empty = Object.fromEntries(inputNames.map((name) => [name, '']))
    expect(read({ ...empty, ...least })).toEqual(read({}))
  })

  it('is shown short and on one line in a fault, however long and hostile it is', () => {
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
    ['a job not to be waited for and nothing to say to it', { 'job-id': 'j', wait: 'false' }, ['wait']],
  ])('are refused with %s', (_, inputs, faulty) => {
    expect(faultsOf(inputs, alone).map(({ input }) => input)).toEqual(faulty)
  })

  it.each([
    ['a prompt', { prompt: 'a' }],
    ['a prompt file', { 'prompt-file': 'a' }],
    ['a job', { 'job-id': 'j' }],
    ['a job and a prompt', { 'job-id': 'j', prompt: 'a' }],
    ['a job, a prompt and no waiting', { 'job-id': 'j', prompt: 'a', wait: 'false' }],
    ['a job, a prompt file and context', { 'job-id': 'j', 'prompt-file': 'a', 'context-files': 'b' }],
  ])('are taken with %s', (_, inputs) => {
    expect(faultsOf(inputs, alone)).toEqual([])
  })

  it('name all their faults at once, malformed ones and contradictions', () => {
    const faulty = faultsOf(
      {
        'base-url': 'http://x.example',
        'prompt-file': 'b',
        'context-limit': '?',
        timeout: 'soon',
        wait: 'perhaps',
      },
      { prompt: 'a' },
    ).map(({ input }) => input)
    expect(faulty.toSorted()).toEqual(
      ['project-id', 'api-key', 'base-url', 'context-limit', 'timeout', 'wait', 'prompt-file'].toSorted(),
    )
  })

  it('of any text never throw, and a fault is of an input that there is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...inputNames), hostileText), (raw) => {
        const parsed = parseInputs(raw, byHand)
        if (!parsed.ok) expect(parsed.faults.map(({ input }) => input)).not.toHaveLength(0)
        if (!parsed.ok) for (const { input } of parsed.faults) expect(inputNames).toContain(input)
      }),
    )
  })
})

describe('a key that can not be used', () => {
  it.each([
    ['', 'nothing'],
    ['mint_dsc_secret99', 'assistant key'],
    ['mint_us_secret99', 'index key'],
    ['secret9', 'only 7 characters'],
    ['secret 99', 'white space'],
  ])('(%j) is told apart', (key, said) => {
    expect(faultsOf({ 'api-key': key })[0]?.got).toContain(said)
  })

  it('shows no character of itself beyond its public prefix', () => {
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

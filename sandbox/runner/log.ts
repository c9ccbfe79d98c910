/** A step's log: receives printed lines, and carries out the commands in them (ActionCommandManager.cs). */
import type { Annotation, AnnotationKind, LogLine, Stage, Stream } from './types.ts'

/** Commands that an action must not use: they are rejected or deprecated on GitHub, or change how the log is read. */
const rejected = ['set-env', 'add-path', 'set-output', 'save-state', 'add-matcher', 'remove-matcher', 'echo']
const known = [
  ...['add-mask', 'debug', 'group', 'endgroup', 'stop-commands', 'error', 'warning', 'notice'],
  ...rejected,
]

export class StepLog {
  stage: Stage = 'main'
  readonly lines: LogLine[] = []
  readonly annotations: Annotation[] = []
  /** The values that add-mask commands added. */
  readonly added: string[] = []
  readonly rejectedCommands: string[] = []
  readonly #secrets: string[] = []
  readonly #onLine: (line: LogLine) => void
  /** While commands are stopped, the command that resumes them, in lower case. */
  #resumeToken: string | undefined

  constructor(secrets: readonly string[], onLine: (line: LogLine) => void = () => {}) {
    for (const secret of secrets) this.#hide(secret)
    this.#onLine = onLine
  }

  /** The text with all known secrets masked. The runner also masks encoded forms, but the action must not rely on that. */
  mask(text: string): string {
    return this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
  }

  /** Starts the output of another script. If the previous script stopped commands, they work again. */
  enter(stage: Stage): void {
    this.stage = stage
    this.#resumeToken = undefined
  }

  /** Receives a printed line. */
  take(stream: Stream, line: string): void {
    const command = parseCommand(line, [...known, ...(this.#resumeToken ? [this.#resumeToken] : [])])
    if (command !== undefined && command.name === this.#resumeToken) {
      this.#resumeToken = undefined
      this.#show(stream, 'command', line)
    } else if (command === undefined || this.#resumeToken !== undefined) {
      this.#show(stream, 'text', line)
    } else {
      this.#carryOut(stream, command, line)
    }
  }

  /** Adds an annotation by the runner itself. */
  annotate(kind: AnnotationKind, text: string): void {
    this.#issue('runner', kind, text, {})
  }

  #carryOut(stream: Stream, { name, properties, data }: Command, line: string): void {
    switch (name) {
      case 'error':
      case 'warning':
      case 'notice':
        this.#issue(stream, name, data, properties)
        break
      case 'group':
      case 'endgroup':
        this.#show(stream, name, data)
        break
      case 'add-mask':
        this.added.push(data)
        this.#hide(data)
        break
      case 'stop-commands':
        this.#resumeToken = data.toLowerCase()
        this.#show(stream, 'command', line)
        break
      case 'debug':
        // Only shown if a repository enables debug logging.
        break
      default:
        this.rejectedCommands.push(this.mask(line))
        this.annotate('error', `The command ${name} is disabled.`)
    }
  }

  #issue(stream: Stream | 'runner', kind: AnnotationKind, data: string, properties: Properties): void {
    const { title, ...others } = properties
    const text = this.mask(data)
    this.annotations.push({ stage: this.stage, kind, text, ...(title && { title }), properties: others })
    if (text !== '') this.#show(stream, kind, text, title)
  }

  /** Masks a value and each of its lines, the longest first. */
  #hide(value: string): void {
    const lines = [value, ...value.split(/[\r\n]+/)].map((line) => line.trim())
    this.#secrets.push(...lines.filter((line) => line !== ''))
    this.#secrets.sort((one, other) => other.length - one.length)
  }

  #show(stream: LogLine['stream'], kind: LogLine['kind'], text: string, title?: string): void {
    const line = { stage: this.stage, stream, kind, text: this.mask(text), ...(title && { title }) }
    this.lines.push(line)
    this.#onLine(line)
  }
}

type Properties = Record<string, string>

/** A workflow command from a line of the log. The names are in lower case. */
interface Command {
  name: string
  properties: Properties
  data: string
}

/**
 * The forms of a command, by the rules of actions/runner (ActionCommand.cs): `::name key=value,…::data` at the start of
 * the line, after any spaces, or else `##[name key=value;…]data` at the line's first `##[`. Each escapes some characters.
 */
const forms = [
  { pattern: /^\s*::(.*?)::(.*)$/s, separator: ',', inProperties: '\r\n:,%', inData: '\r\n%' },
  { pattern: /^.*?##\[(.*?)\](.*)$/s, separator: ';', inProperties: ';\r\n]%', inData: ';\r\n]%' },
]

/** Reads a command from a line. Undefined if the name is unknown, because such a line is plain text. */
function parseCommand(line: string, names: readonly string[]): Command | undefined {
  for (const { pattern, separator, inProperties, inData } of forms) {
    const [, header = '', data = ''] = pattern.exec(line) ?? []
    const [, given = '', rest = ''] = /^([^ ]*) ?(.*)$/s.exec(header) ?? []
    const name = given.toLowerCase()
    if (!names.includes(name)) continue
    const pairs = rest.split(separator).map((pair) => /^\s*([^=]+)=(.+)$/s.exec(pair) ?? [])
    const properties = Object.fromEntries(
      pairs.flatMap(([, key, value = '']) => (key ? [[key.toLowerCase(), decode(value, inProperties)]] : [])),
    )
    return { name, properties, data: decode(data, inData) }
  }
  return undefined
}

/** Restores the escaped characters, one after another. `%` must come last. */
function decode(text: string, escaped: string): string {
  const code = (character: string) => character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')
  return [...escaped].reduce((done, character) => done.replaceAll(`%${code(character)}`, character), text)
}

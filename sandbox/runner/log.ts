/** A step's log: receives printed lines, and carries out the commands in them (ActionCommandManager.cs). */

export type AnnotationKind = 'error' | 'warning' | 'notice'

/** A line of the log. */
export interface LogLine {
  kind: 'text' | 'group' | 'endgroup' | AnnotationKind
  /** The masked text. Each `%0A` in a command is a line feed here. */
  text: string
  /** An annotation's title, if any. The runner does not mask it. */
  title?: string
}

/** Commands whose text appears in the log. */
const shown = ['group', 'endgroup', 'error', 'warning', 'notice']
const isShown = (name: string): name is Exclude<LogLine['kind'], 'text'> => shown.includes(name)
/** All commands. Those that this action does not use are rejected or deprecated on GitHub, or change how the log is read. */
const known = [
  ...[...shown, 'add-mask', 'debug', 'set-env', 'add-path', 'set-output', 'save-state', 'stop-commands'],
  ...['add-matcher', 'remove-matcher', 'echo'],
]

export class StepLog {
  readonly lines: LogLine[] = []
  /** The values that add-mask commands added. */
  readonly added: string[] = []
  readonly rejectedCommands: string[] = []
  readonly #secrets: string[] = []
  readonly #onLine: (line: LogLine) => void

  constructor(secret: string, onLine: (line: LogLine) => void = () => {}) {
    this.#hide(secret)
    this.#onLine = onLine
  }

  /** The text with all known secrets masked. The runner also masks encoded forms, but the action must not rely on that. */
  mask(text: string): string {
    return this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
  }

  /** Receives a printed line. */
  take(line: string): void {
    const command = parseCommand(line)
    if (command === undefined) this.#show('text', line)
    else this.#carryOut(command, line)
  }

  /** Adds an annotation by the runner itself. */
  annotate(kind: AnnotationKind, text: string): void {
    this.#show(kind, text)
  }

  #carryOut({ name, title, data }: Command, line: string): void {
    // Debug lines are only shown if a repository enables debug logging.
    if (name === 'debug') return
    if (name === 'add-mask') {
      this.added.push(data)
      this.#hide(data)
    } else if (isShown(name)) this.#show(name, data, title)
    else {
      this.rejectedCommands.push(this.mask(line))
      this.annotate('error', `The command ${name} is disabled.`)
    }
  }

  /** Masks a value and each of its lines, the longest first. */
  #hide(value: string): void {
    const lines = [value, ...value.split(/[\r\n]+/)].map((line) => line.trim())
    this.#secrets.push(...lines.filter((line) => line !== ''))
    this.#secrets.sort((one, other) => other.length - one.length)
  }

  #show(kind: LogLine['kind'], text: string, title?: string): void {
    const line = { kind, text: this.mask(text), ...(title && { title }) }
    this.lines.push(line)
    this.#onLine(line)
  }
}

/** A workflow command from a line of the log. Its name is in lower case. */
interface Command {
  name: string
  title: string | undefined
  data: string
}

/**
 * The forms of a command, by the rules of actions/runner (ActionCommand.cs): `::name key=value,…::data` at the start of
 * the line, after any spaces, or else `##[name key=value;…]data` at the line's first `##[`. Each escapes some characters.
 */
const forms = [
  { pattern: /^\s*::([^ ]*?)(?: (.*?))?::(.*)$/s, separator: ',', inProperties: '\r\n:,%', inData: '\r\n%' },
  {
    pattern: /^.*?##\[([^ ]*?)(?: (.*?))?\](.*)$/s,
    separator: ';',
    inProperties: ';\r\n]%',
    inData: ';\r\n]%',
  },
]

/** Reads a command from a line. Undefined if the name is unknown, because such a line is plain text. */
function parseCommand(line: string): Command | undefined {
  for (const { pattern, separator, inProperties, inData } of forms) {
    const [, given = '', properties = '', data = ''] = pattern.exec(line) ?? []
    const name = given.toLowerCase()
    if (!known.includes(name)) continue
    const titles = properties.split(separator).map((pair) => /^\s*title=(.+)$/is.exec(pair)?.[1])
    const title = titles.find((text) => text !== undefined)
    return { name, title: title && decode(title, inProperties), data: decode(data, inData) }
  }
  return undefined
}

/** Restores the escaped characters, one after another. `%` must come last. */
function decode(text: string, escaped: string): string {
  const code = (character: string) => character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')
  return [...escaped].reduce((done, character) => done.replaceAll(`%${code(character)}`, character), text)
}

import { type Command, parseCommand } from './command.ts'
import { Masks } from './masks.ts'
import type { Annotation, AnnotationKind, LogLine, Stage, Stream } from './types.ts'

/** Maximum number of annotations of each kind in a stage, and their maximum length (ExecutionContext.cs). */
const annotationLimits = { count: 10, length: 4_096 }

const rejected = ['set-env', 'add-path']
const deprecated = ['set-output', 'save-state']
const unexpected = ['add-matcher', 'remove-matcher', 'echo']
const known = new Set([
  ...['add-mask', 'debug', 'group', 'endgroup', 'stop-commands', 'error', 'warning', 'notice'],
  ...[...rejected, ...deprecated, ...unexpected],
])

/** A step's log: receives printed lines, and carries out the commands in them (ActionCommandManager.cs). */
export class StepLog {
  stage: Stage = 'main'
  /** Whether the runner fails the step, whatever its exit code. */
  failed = false
  readonly lines: LogLine[] = []
  readonly annotations: Annotation[] = []
  /** The values that add-mask commands added. */
  readonly added: string[] = []
  readonly rejectedCommands: string[] = []
  readonly #masks = new Masks()
  readonly #onLine: (line: LogLine) => void
  /** While commands are stopped, the command that resumes them, in lower case. */
  #resumeToken: string | undefined

  constructor(options: {
    secrets: readonly string[]
    onLine?: ((line: LogLine) => void) | undefined
  }) {
    for (const secret of options.secrets) this.#masks.add(secret)
    this.#onLine = options.onLine ?? (() => {})
  }

  /** The text with all known secrets masked. */
  mask(text: string): string {
    return this.#masks.apply(text)
  }

  /** Starts the output of another script. If the previous script stopped commands, they work again. */
  enter(stage: Stage): void {
    this.stage = stage
    this.#resumeToken = undefined
  }

  /** Receives a printed line. */
  take(stream: Stream, line: string): void {
    const command = parseCommand(line, (name) => known.has(name) || name === this.#resumeToken)
    const isStopped = this.#resumeToken !== undefined
    if (command === undefined) {
      this.#show(stream, /^##\[command\]/.test(line) ? 'command' : 'text', line)
    } else if (!isStopped) {
      this.#carryOut(stream, command, line)
    } else if (command.name === this.#resumeToken) {
      this.#resumeToken = undefined
      this.#show(stream, 'command', line)
    } else {
      this.#show(stream, 'text', line)
    }
  }

  /** Adds an annotation by the runner itself. */
  annotate(kind: AnnotationKind, text: string): void {
    this.#issue('runner', kind, { name: kind, properties: {}, data: text })
  }

  /** Adds an error by the runner itself, which fails the step. */
  fail(text: string): void {
    this.failed = true
    this.annotate('error', text)
  }

  #carryOut(stream: Stream, command: Command, line: string): void {
    const { name, data } = command
    switch (name) {
      case 'error':
      case 'warning':
      case 'notice':
        this.#issue(stream, name, command)
        break
      case 'debug':
        // Only shown if a repository enables debug logging.
        break
      case 'group':
        this.#show(stream, name, data)
        break
      case 'endgroup':
        this.#show(stream, name, '')
        break
      case 'add-mask':
        this.#addMask(data)
        break
      case 'stop-commands':
        this.#stop(stream, data, line)
        break
      default:
        this.#reject(name, line)
    }
  }

  #issue(stream: Stream | 'runner', kind: AnnotationKind, { properties, data }: Command): void {
    const { title, ...others } = properties
    const text = this.mask(data).slice(0, annotationLimits.length)
    const { stage } = this
    const alike = this.annotations.filter((other) => other.kind === kind && other.stage === stage)
    if (alike.length < annotationLimits.count) {
      this.annotations.push({ stage, kind, text, ...(title && { title }), properties: others })
    }
    if (text !== '') this.#show(stream, kind, text, title)
  }

  #addMask(value: string): void {
    if (value.trim() === '') {
      this.annotate('warning', 'An empty value can not be masked by add-mask.')
    } else {
      this.added.push(value)
      this.#masks.add(value)
    }
  }

  #stop(stream: Stream, token: string, line: string): void {
    const name = token.toLowerCase()
    if (name === '' || name === 'pause-logging' || known.has(name)) {
      this.fail(`Unable to process '${line}': a command's name can not be what resumes commands.`)
    } else {
      this.#resumeToken = name
      if (token.length > 6) this.#masks.add(token)
      this.#show(stream, 'command', line)
    }
  }

  #reject(name: string, line: string): void {
    this.rejectedCommands.push(this.mask(line))
    if (rejected.includes(name)) this.fail(`The command ${name} is disabled: use the command files.`)
    if (deprecated.includes(name))
      this.annotate('warning', `The command ${name} is deprecated: use the command files.`)
  }

  #show(stream: LogLine['stream'], kind: LogLine['kind'], text: string, title?: string): void {
    const line = { stage: this.stage, stream, kind, text: this.mask(text), ...(title && { title }) }
    this.lines.push(line)
    this.#onLine(line)
  }
}

/** What the runner reads off a printed line (actions/runner: ActionCommand.cs, OutputManager.cs). */

export interface Command {
  name: string
  properties: Record<string, string>
  message: string
}

/** Commands that the runner carries out when they are printed; the file commands' printed forms are switched off. */
export const printedCommands = [
  'add-mask',
  'debug',
  'notice',
  'warning',
  'error',
  'group',
  'endgroup',
  'echo',
]

/** The command in a line, or undefined. `::name props::message` stands at its start, `##[name props]message` anywhere. */
export function parseCommand(line: string): Command | undefined {
  const current = /^\s*::([^\s:]+)(?:\s(.*?))?::(.*)$/s.exec(line)
  if (current) return command(current, ',', unescapeProperty, unescapeData)
  const old = /##\[([^\s\]]+)(?:\s([^\]]*))?\](.*)$/s.exec(line)
  return old ? command(old, ';', unescapeOld, unescapeOld) : undefined
}

type Unescape = (text: string) => string

function command(match: RegExpExecArray, separator: string, property: Unescape, data: Unescape): Command {
  const [, name = '', properties = '', message = ''] = match
  const pairs = properties
    .split(separator)
    .map((pair) => pair.trim().split(/=(.*)/s))
    .filter(([key, value]) => key && value)
    .map(([key = '', value = '']) => [key, property(value)])
  return { name: name.toLowerCase(), properties: Object.fromEntries(pairs), message: data(message) }
}

function unescapeData(text: string): string {
  return text.replace(/%0D/gi, '\r').replace(/%0A/gi, '\n').replace(/%25/g, '%')
}

function unescapeProperty(text: string): string {
  return unescapeData(text.replace(/%3A/gi, ':').replace(/%2C/gi, ','))
}

function unescapeOld(text: string): string {
  return unescapeData(text.replace(/%3B/gi, ';').replace(/%5D/gi, ']'))
}

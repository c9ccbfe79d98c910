/** A workflow command from a line of the log. */
export interface Command {
  /** In lower case. */
  name: string
  /** By lower-case name. */
  properties: Record<string, string>
  data: string
}

/**
 * Reads a command from a line, by the rules of actions/runner (ActionCommand.cs): `::name key=value,…::data` at the
 * start of the line, after any spaces, or else `##[name key=value;…]data` at the line's first `##[`. Undefined if the name
 * is unknown, because such a line is plain text.
 */
export function parseCommand(line: string, isKnown: (name: string) => boolean): Command | undefined {
  return parseColons(line.trimStart(), isKnown) ?? parseBrackets(line, isKnown)
}

function parseColons(line: string, isKnown: (name: string) => boolean): Command | undefined {
  if (!line.startsWith('::')) return undefined
  const end = line.indexOf('::', 2)
  if (end < 0) return undefined
  const header = splitHeader(line.slice(2, end))
  if (!isKnown(header.name)) return undefined
  return {
    name: header.name,
    properties: readProperties(header.rest.trim(), ',', (value) => decode(value, '\r\n:,%')),
    data: decode(line.slice(end + 2), '\r\n%'),
  }
}

function parseBrackets(line: string, isKnown: (name: string) => boolean): Command | undefined {
  const start = line.indexOf('##[')
  if (start < 0) return undefined
  const end = line.indexOf(']', start)
  if (end < 0) return undefined
  const header = splitHeader(line.slice(start + 3, end))
  if (!isKnown(header.name)) return undefined
  const read = (value: string) => decode(value, ';\r\n]%')
  return {
    name: header.name,
    properties: readProperties(header.rest, ';', read),
    data: read(line.slice(end + 1)),
  }
}

function splitHeader(header: string): { name: string; rest: string } {
  const space = header.indexOf(' ')
  if (space < 0) return { name: header.toLowerCase(), rest: '' }
  return { name: header.slice(0, space).toLowerCase(), rest: header.slice(space + 1) }
}

function readProperties(
  text: string,
  separator: string,
  read: (value: string) => string,
): Record<string, string> {
  const pairs = text.split(separator).map((pair) => /^=*([^=]+)=(.+)$/s.exec(pair))
  return Object.fromEntries(
    pairs.flatMap((pair) => (pair ? [[pair[1]?.toLowerCase(), read(pair[2] ?? '')]] : [])),
  )
}

/** Restores the escaped characters, one after another. `%` must come last. */
function decode(text: string, escaped: string): string {
  return [...escaped].reduce((done, character) => done.replaceAll(encode(character), character), text)
}

function encode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

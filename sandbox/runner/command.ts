/** A workflow command from a line of the log. */
export interface Command {
  /** In lower case. */
  name: string
  /** By lower-case name. */
  properties: Record<string, string>
  data: string
}

/**
 * The forms of a command, by the rules of actions/runner (ActionCommand.cs): `::name key=value,…::data` at the start of
 * the line, after any spaces, or else `##[name key=value;…]data` at the line's first `##[`. Each escapes some characters.
 * Spaces around the properties only count in the second form.
 */
const forms = [
  { pattern: /^\s*::(.*?)::(.*)$/s, separator: ',', inProperties: '\r\n:,%', inData: '\r\n%' },
  { pattern: /^.*?##\[(.*?)\](.*)$/s, separator: ';', inProperties: ';\r\n]%', inData: ';\r\n]%' },
]

/** Reads a command from a line. Undefined if the name is unknown, because such a line is plain text. */
export function parseCommand(line: string, isKnown: (name: string) => boolean): Command | undefined {
  for (const { pattern, separator, inProperties, inData } of forms) {
    const [, header = '', data = ''] = pattern.exec(line) ?? []
    const [, given = '', rest = ''] = /^([^ ]*) ?(.*)$/s.exec(header) ?? []
    const name = given.toLowerCase()
    if (!isKnown(name)) continue
    const pairs = (separator === ',' ? rest.trim() : rest)
      .split(separator)
      .map((pair) => /^=*([^=]+)=(.+)$/s.exec(pair))
    const properties = Object.fromEntries(
      pairs.flatMap((pair) => (pair ? [[pair[1]?.toLowerCase(), decode(pair[2] ?? '', inProperties)]] : [])),
    )
    return { name, properties, data: decode(data, inData) }
  }
  return undefined
}

/** Restores the escaped characters, one after another. `%` must come last. */
function decode(text: string, escaped: string): string {
  return [...escaped].reduce((done, character) => done.replaceAll(encode(character), character), text)
}

function encode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

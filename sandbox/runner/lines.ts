/** Cuts a stream into lines as .NET does: at `\n`, `\r\n`, and `\r` alone. */
export class LineCutter {
  #rest = ''

  /** The lines that are complete with this piece of text. A `\r` at its end waits for what follows. */
  push(text: string): string[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    return lines
  }

  /** The last line, if it had no end of its own. */
  end(): string[] {
    return this.#rest === '' ? [] : [this.#rest.replace(/\r$/, '')]
  }
}

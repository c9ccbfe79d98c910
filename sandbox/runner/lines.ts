/** Splits a stream into lines as .NET does: at `\n`, `\r\n`, and a single `\r`. */
export class LineCutter {
  #rest = ''

  /** The lines that this piece of text completes. A `\r` at its end waits for the next piece. */
  push(text: string): string[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    return lines
  }

  /** The last line, if it lacks a line break. */
  end(): string[] {
    return this.#rest === '' ? [] : [this.#rest.replace(/\r$/, '')]
  }
}

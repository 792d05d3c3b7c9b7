/** Where a command writes. */
export interface Terminal {
  /** Writes what the command is for. */
  write(text: string): void
  /** Writes a line about the work. */
  note(text: string): void
  /** Shows how far long work is, where people watch; the next line replaces it. */
  progress(text: string): void
  /** Ends with an interrupt of the caller. */
  signal: AbortSignal
}

/** A stream of the process, as far as it is needed here. */
export interface Output {
  isTTY?: boolean | undefined
  write(text: string): unknown
}

const clearLine = '\r\u001b[K'

/** A terminal over the streams of a process: progress goes to the second one, and only where it is a terminal. */
export function createTerminal(output: Output, notes: Output, signal: AbortSignal): Terminal {
  let isShowing = false
  const clear = () => {
    if (isShowing) notes.write(clearLine)
    isShowing = false
  }
  return {
    signal,
    write(text) {
      clear()
      output.write(text)
    },
    note(text) {
      clear()
      notes.write(`${text}\n`)
    },
    progress(text) {
      if (notes.isTTY !== true) return
      notes.write(`${clearLine}${text}`)
      isShowing = text !== ''
    },
  }
}

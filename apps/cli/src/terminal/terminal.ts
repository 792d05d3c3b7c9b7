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

/** A stream that says when it cannot be written. */
interface Failing {
  on(event: 'error', listener: (error: Error) => void): unknown
}

/**
 * Watches the streams of a process. Calls back once for an output that cannot be written; silent for one that its reader has closed, as
 * `head` does, and for the stream of notes, of which nobody could be told.
 */
export function watchStreams(output: Failing, notes: Failing, onLost: (error: Error) => void): void {
  let isLost = false
  notes.on('error', () => undefined)
  output.on('error', error => {
    if (isLost || ('code' in error && error.code === 'EPIPE')) return
    isLost = true
    onLost(error)
  })
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

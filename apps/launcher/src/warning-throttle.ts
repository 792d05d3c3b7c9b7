const summaryInterval = 60_000
/** Messages that are tracked at the same time. */
const maxMessages = 100

interface Repetition {
  /** The latest text of the message. */
  text: string
  count: number
  timer: NodeJS.Timeout
}

/** Prints repeated messages once, then every minute how often they were repeated, and once more when they stop. */
export class WarningThrottle {
  readonly #print: (text: string) => void
  readonly #repetitions = new Map<string, Repetition>()

  constructor(print: (text: string) => void) {
    this.#print = print
  }

  add({ message, text }: { message: string; text: string }): void {
    const repetition = this.#repetitions.get(message)
    if (repetition) {
      repetition.count += 1
      repetition.text = text
      return
    }
    const [oldest] = this.#repetitions.keys()
    if (oldest !== undefined && this.#repetitions.size >= maxMessages) this.#remove(oldest)
    this.#print(text)
    const timer = setInterval(() => this.#summarize(message), summaryInterval).unref()
    this.#repetitions.set(message, { text, count: 0, timer })
  }

  /** Prints the repetitions that were not printed yet, and stops all timers. */
  flush(): void {
    for (const message of [...this.#repetitions.keys()]) this.#remove(message)
  }

  #summarize(message: string): void {
    const repeat = this.#repetitions.get(message)
    if (repeat?.count) this.#printCount(repeat)
    else this.#remove(message)
  }

  #remove(message: string): void {
    const repeat = this.#repetitions.get(message)
    this.#repetitions.delete(message)
    clearInterval(repeat?.timer)
    if (repeat?.count) this.#printCount(repeat)
  }

  #printCount(repeat: Repetition): void {
    this.#print(`${repeat.text} (${repeat.count} more times)`)
    repeat.count = 0
  }
}

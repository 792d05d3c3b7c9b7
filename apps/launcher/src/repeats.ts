const minute = 60_000
/** Messages that are remembered at once. */
const most = 100

interface Repeat {
  /** As it was told last. */
  text: string
  count: number
  timer: NodeJS.Timeout
}

/** Shows a message once, however often it comes; while it goes on, how often, each minute, and when it has ended. */
export class Repeats {
  readonly #say: (text: string) => void
  readonly #repeats = new Map<string, Repeat>()

  constructor(say: (text: string) => void) {
    this.#say = say
  }

  take({ message, text }: { message: string; text: string }): void {
    const known = this.#repeats.get(message)
    if (known) {
      known.count += 1
      known.text = text
      return
    }
    const [oldest] = this.#repeats.keys()
    if (oldest !== undefined && this.#repeats.size >= most) this.#forget(oldest)
    this.#say(text)
    const timer = setInterval(() => this.#tick(message), minute).unref()
    this.#repeats.set(message, { text, count: 0, timer })
  }

  /** Tells what is still to be told. */
  end(): void {
    for (const message of [...this.#repeats.keys()]) this.#forget(message)
  }

  #tick(message: string): void {
    const repeat = this.#repeats.get(message)
    if (repeat?.count) this.#tell(repeat)
    else this.#forget(message)
  }

  #forget(message: string): void {
    const repeat = this.#repeats.get(message)
    this.#repeats.delete(message)
    clearInterval(repeat?.timer)
    if (repeat?.count) this.#tell(repeat)
  }

  #tell(repeat: Repeat): void {
    this.#say(`${repeat.text} (${repeat.count} more times)`)
    repeat.count = 0
  }
}

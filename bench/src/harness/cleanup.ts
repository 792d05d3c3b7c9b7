/** Cleanup tasks that run at the end, also after a failure or Ctrl-C, in reverse order of registration. */
export class Cleanup {
  readonly #tasks: (() => Promise<unknown>)[] = []

  add(task: () => Promise<unknown>): void {
    this.#tasks.push(task)
  }

  async run(): Promise<void> {
    for (let task = this.#tasks.pop(); task; task = this.#tasks.pop())
      await task().catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
  }
}

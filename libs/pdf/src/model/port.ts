import type { MessagePort } from 'node:worker_threads'
import type { BookSource, PageContent } from './model.ts'

/** A question of a thread to the source of a book. */
interface Question {
  id: number
  kind: 'page' | 'file'
  name: string
}
/** The answer: a value, or that there is none because of an error. */
interface Answer {
  id: number
  value?: unknown
  error?: string
}

/** Answers, at the other end of a port, what the thread asks; a failure of the source ends the making, and is what `failed` rejects with. */
export function serveSource(source: BookSource, port: MessagePort): { failed: Promise<never> } {
  const failed = new Promise<never>((_, reject) => {
    const answer = async ({ id, kind, name }: Question): Promise<Answer> => {
      try {
        return { id, value: kind === 'page' ? await source.page(name) : await source.file(name) }
      } catch (error) {
        reject(error)
        return { id, error: 'the source of the book failed' }
      }
    }
    port.on('message', (question: Question) => void answer(question).then(result => port.postMessage(result)))
  })
  failed.catch(() => undefined)
  return { failed }
}

/** The source of a book at the other end of a port. */
export function sourceOf(port: MessagePort): BookSource {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let last = 0
  port.on('message', ({ id, value, error }: Answer) => {
    const pending = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) pending?.resolve(value)
    else pending?.reject(new Error(error))
  })
  const ask = (kind: Question['kind'], name: string) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++last
      waiting.set(id, { resolve, reject })
      port.postMessage({ id, kind, name } satisfies Question)
    })
  return {
    page: async name => (await ask('page', name)) as PageContent,
    file: async name => (await ask('file', name)) as Uint8Array | undefined,
  }
}

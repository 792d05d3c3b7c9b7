import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { unparsedPage, type CheckedPage, type MarkdownTasks } from '@recto/markdown'
import { createWorkerPool, WorkerFailure } from '@recto/worker-pool'

/** Threads that check pages. */
export interface PageChecks {
  run(texts: string[], onProgress: (done: number) => void): Promise<CheckedPage[]>
  close(): Promise<void>
}

/** Characters that one task parses at least. */
const taskLength = 64 * 1024
const limits = { timeoutMs: 30_000, memoryMb: 512 }

/** Starts threads; a page that takes one too long, or too much memory, counts as one that cannot be parsed. */
export function createPageChecks(
  file = fileURLToPath(new URL('./markdown-worker.js', import.meta.url)),
  threads = Math.max(1, Math.min(4, availableParallelism())),
): PageChecks {
  const pool = createWorkerPool<MarkdownTasks>({ ...limits, file, threads, keptThreads: threads })
  const check = async (texts: string[]): Promise<CheckedPage[]> => {
    try {
      return await pool.run('checks', { markdown: texts })
    } catch (error) {
      if (!(error instanceof WorkerFailure)) throw error
      if (texts.length === 1) return texts.map(unparsedPage)
      return (await Promise.all(texts.map(text => check([text])))).flat()
    }
  }
  // The threads load their code while the folder is read.
  const ready = Promise.all(Array.from({ length: threads }, () => check([''])))
  ready.catch(() => undefined)
  return {
    async run(texts, onProgress) {
      let done = 0
      const tasks = batchesOf(texts).map(async batch => {
        const pages = await check(batch)
        onProgress((done += batch.length))
        return pages
      })
      return (await Promise.all(tasks)).flat()
    },
    close: async () => {
      await ready.catch(() => undefined)
      await pool.close()
    },
  }
}

function batchesOf(texts: readonly string[]): string[][] {
  const batches: string[][] = []
  let length = taskLength
  for (const text of texts) {
    if (length >= taskLength) {
      batches.push([])
      length = 0
    }
    batches.at(-1)?.push(text)
    length += text.length
  }
  return batches
}

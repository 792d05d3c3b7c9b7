import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { unparsedPage, type CheckedPage, type MarkdownTasks } from '@recto/markdown'
import { createWorkerPool, WorkerFailure } from '@recto/worker-pool'
import type { CheckCache } from './check-cache.ts'

/** Checks of pages: from the cache, or in threads. */
export interface PageChecks {
  check(markdown: string): Promise<CheckedPage>
  close(): Promise<void>
}

/** The module of the threads. */
export const workerFile = fileURLToPath(new URL('./markdown-worker.js', import.meta.url))

const limits = { timeoutMs: 30_000, memoryMb: 512 }
/** One core is for the thread that reads the folder. */
const parallelism = Math.max(1, Math.min(4, availableParallelism() - 1))

/** Starts threads where the cache is empty; a page that takes one too long, or too much memory, counts as one that cannot be parsed. */
export function createPageChecks(cache: CheckCache, file = workerFile, threads = parallelism): PageChecks {
  const pool = createWorkerPool<MarkdownTasks>({ ...limits, file, threads, keptThreads: threads })
  const run = async (markdown: string) => (await pool.run('checks', { markdown: [markdown] }))[0]
  const parse = async (markdown: string): Promise<CheckedPage> => {
    try {
      const page = (await run(markdown)) ?? unparsedPage(markdown)
      cache.add(markdown, page)
      return page
    } catch (error) {
      if (!(error instanceof WorkerFailure)) throw error
      return unparsedPage(markdown)
    }
  }
  // The threads load their code while the folder is read.
  const ready = cache.isEmpty ? Promise.all(Array.from({ length: threads }, () => run(''))) : Promise.resolve()
  ready.catch(() => undefined)
  return {
    check: async markdown => cache.find(markdown) ?? parse(markdown),
    close: async () => {
      await ready.catch(() => undefined)
      await pool.close()
    },
  }
}

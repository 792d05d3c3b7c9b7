import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { CheckedPage } from '@recto/markdown/checks'
import { createWorkerPool, WorkerFailure } from '@recto/worker-pool'
import type { CheckCache } from './check-cache.ts'

/** The tasks of `check-worker.ts`. */
interface CheckTasks {
  check(page: { markdown: string }): CheckedPage
  checkAll(pages: { markdowns: readonly string[] }): CheckedPage[]
}

/** Checks of pages: from the cache, or in threads. */
export interface PageChecks {
  check(markdown: string): Promise<CheckedPage>
  /** Checks pages together, in case that they are asked for. A page whose batch has failed is checked again, alone, when it is. */
  begin(markdowns: readonly string[]): void
  close(): Promise<void>
}

/** The module of the threads. */
export const workerFile = fileURLToPath(new URL('./check-worker.js', import.meta.url))

const limits = { timeoutMs: 30_000, memoryMb: 512 }
/** Threads that check pages. */
export const parallelism = Math.min(4, availableParallelism())
/**
 * The work of a function, in bytes of its code, after which V8 compiles it for speed: nine times the usual. A check ends after a second or
 * two, in which compilers took as much of two cores as parsing did.
 */
const interruptBudget = 600_000

/** Starts threads where the cache is empty; a page that takes one too long, or too much memory, counts as one that cannot be parsed. */
export function createPageChecks(cache: CheckCache, file = workerFile, threads = parallelism): PageChecks {
  // Later versions of V8 have no such flag, and say so on standard error.
  if (process.versions.v8.startsWith('11.')) setFlagsFromString(`--interrupt-budget=${interruptBudget}`)
  const pool = createWorkerPool<CheckTasks>({ ...limits, file, threads, keptThreads: threads })
  const batches = new Map<string, Promise<CheckedPage | undefined>>()
  const run = (markdown: string) => pool.run('check', { markdown })
  const parse = async (markdown: string): Promise<CheckedPage> => {
    try {
      const page = (await batches.get(markdown)) ?? (await run(markdown))
      cache.add(markdown, page)
      return page
    } catch (error) {
      if (!(error instanceof WorkerFailure)) throw error
      return (await import('./unparsed-page.ts')).unparsedPage(markdown)
    }
  }
  // The threads load their code while the folder is read.
  const ready = cache.isEmpty ? Promise.all(Array.from({ length: threads }, () => run(''))) : Promise.resolve()
  ready.catch(() => undefined)
  return {
    check: async markdown => cache.find(markdown) ?? parse(markdown),
    begin(markdowns) {
      const pages = pool.run('checkAll', { markdowns }).catch(() => [])
      for (const [at, markdown] of markdowns.entries())
        batches.set(
          markdown,
          pages.then(all => all[at]),
        )
    },
    close: async () => {
      await ready.catch(() => undefined)
      await pool.close()
    },
  }
}

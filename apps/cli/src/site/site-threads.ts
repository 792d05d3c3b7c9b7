import { fileURLToPath } from 'node:url'
import type { MarkdownTasks } from '@recto/markdown'
import { createWorkerPool, type WorkerPool } from '@recto/worker-pool'

const limits = { threads: 2, keptThreads: 1, timeoutMs: 20_000, memoryMb: 512 }

/** Threads that parse Markdown for a site. */
export function createSiteThreads(
  file = fileURLToPath(new URL('./markdown-worker.js', import.meta.url)),
): WorkerPool<MarkdownTasks> {
  return createWorkerPool<MarkdownTasks>({ ...limits, file })
}

import type { BlobStore } from '@recto/blobs'
import { ConvertFailure, type ConvertTasks, type RunTask } from '@recto/convert'
import { type WorkerPool, WorkerFailure } from '@recto/worker-pool'

/** Returns a function that runs conversions in worker threads. Errors of a thread become a `ConvertFailure`, as the input causes them. */
export function taskRunner(pool: WorkerPool<ConvertTasks>, signal?: AbortSignal): RunTask {
  return async (name, input) => {
    try {
      return await pool.run(name, input as never, signal ? { signal } : {})
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof WorkerFailure || error instanceof ConvertFailure) throw error
      const message = error instanceof Error ? error.message : String(error)
      throw new ConvertFailure('invalid', `The content cannot be converted: ${message}`, { cause: error })
    }
  }
}

/** Creates a store for the files of a conversion that remembers their hashes. */
export function fileStore(blobs: BlobStore): {
  storeFile(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<{ hash: string; size: number }>
  hashes: Set<string>
} {
  const hashes = new Set<string>()
  return {
    hashes,
    async storeFile(content) {
      const blob = await blobs.put(content)
      hashes.add(blob.hash)
      return blob
    },
  }
}

import type { BlobStore } from '@recto/blobs'

const day = 24 * 60 * 60 * 1000

interface Log {
  warn(details: object, message: string): void
}

/** Deletes once a day what writers that crashed left behind in the blob store. */
export function cleanBlobs(blobs: BlobStore, log: Log): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve()
  const clean = (): void => {
    running = blobs
      .deleteUnfinished(new Date(Date.now() - day))
      .catch((error: unknown) => log.warn({ err: error }, 'unfinished blobs could not be deleted'))
  }
  const timer = setInterval(clean, day)
  clean()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}

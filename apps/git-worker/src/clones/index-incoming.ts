import { indexPack, type IndexedPack } from '@recto/git-pack'
import type { Limits } from '@recto/repository-content'
import { openPackFile } from './pack-file.ts'

/** Indexes a received pack; objects above the limit of one file are left out. Throws a `GitPackError`. */
export async function indexIncoming(path: string, limits: Limits, signal: AbortSignal): Promise<IndexedPack> {
  const { reader, close } = await openPackFile(path, { readAhead: 4 * 1024 * 1024 })
  try {
    return await indexPack(
      reader,
      {
        maxObject: limits.maxFile,
        maxInflated: limits.maxPack * 8,
        maxObjects: 1_000_000,
        cacheBytes: 32 * 1024 * 1024,
      },
      signal,
    )
  } finally {
    await close()
  }
}

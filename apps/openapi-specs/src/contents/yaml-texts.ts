import type { BlobStore } from '@recto/blobs'
import { Failure } from '@recto/operation'
import { type WorkerPool, WorkerFailure } from '@recto/worker-pool'
import { LRUCache } from 'lru-cache'

/** The task of a worker thread that writes JSON as YAML. */
export interface YamlTasks {
  writeYaml(json: Uint8Array): string
}

/** Characters of YAML in the cache: caches of readers ask again and again. */
const maxSize = 32 * 1024 * 1024

/** Writes contents as YAML, each once at a time: that takes seconds for ten megabytes, so it is done in a thread. */
export function yamlTexts(contents: BlobStore, pool: WorkerPool<YamlTasks>): (hash: string) => Promise<string> {
  const texts = new LRUCache<string, string>({
    maxSize,
    sizeCalculation: text => text.length + 1,
    ignoreFetchAbort: true,
    fetchMethod: async hash => pool.run('writeYaml', await contents.bytes(hash)).catch(tooLarge),
  })
  return hash => texts.forceFetch(hash)
}

function tooLarge(error: unknown): never {
  if (!(error instanceof WorkerFailure)) throw error
  throw new Failure('unavailable', 'The specification cannot be written as YAML now; it can be downloaded as JSON', {
    cause: error,
  })
}

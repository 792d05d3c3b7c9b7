import type { BlobStore } from '@recto/blobs'
import { Failure } from '@recto/operation'
import { type WorkerPool, WorkerFailure } from '@recto/worker-pool'
import { LRUCache } from 'lru-cache'

/** The task of a worker thread that writes JSON as YAML. */
export interface YamlTasks {
  writeYaml(json: Uint8Array): string
}

/** Characters of YAML that are kept: caches of readers ask again and again. */
const kept = 32 * 1024 * 1024

/** Writes contents as YAML, each once at a time: that takes seconds for ten megabytes, so it is done in a thread. */
export function yamlTexts(contents: BlobStore, pool: WorkerPool<YamlTasks>): (hash: string) => Promise<string> {
  const texts = new LRUCache<string, string>({ maxSize: kept, sizeCalculation: text => text.length + 1 })
  const writing = new Map<string, Promise<string>>()
  const write = async (hash: string): Promise<string> => {
    const text = await pool.run('writeYaml', await contents.bytes(hash)).catch(tooLarge)
    texts.set(hash, text)
    return text
  }
  return hash => {
    const known = texts.get(hash)
    if (known !== undefined) return Promise.resolve(known)
    const text = writing.get(hash) ?? write(hash).finally(() => writing.delete(hash))
    writing.set(hash, text)
    return text
  }
}

function tooLarge(error: unknown): never {
  if (!(error instanceof WorkerFailure)) throw error
  throw new Failure('unavailable', 'The specification cannot be written as YAML now; it can be downloaded as JSON', {
    cause: error,
  })
}

import type { BlobStore } from '@recto/blobs'
import type { Db } from '@recto/database'
import type { Secrets } from '@recto/operation'
import type { RunTransaction } from '@recto/service'
import type { ContentCalls, PeopleCalls } from '../shared/context.ts'

/** The dependencies of attempts. */
export interface AttemptTools {
  db: Db
  transaction: RunTransaction
  content: ContentCalls
  people: PeopleCalls
  blobs: Pick<BlobStore, 'bytes' | 'delete'>
  publicUrl: string
  encryptionKey: Secrets
  /** Seconds for which content keeps the data of an attempt. */
  holdSeconds: number
}

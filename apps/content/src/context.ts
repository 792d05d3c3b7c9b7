import type { BlobStore } from '@recto/blobs'
import { Failure, type Actor } from '@recto/operation'
import type { ServiceContext } from '@recto/service'

/** What every handler of content receives. */
export interface Context extends ServiceContext {
  publicUrl: string
  signingSecret: string
  encryptionKey: string
  blobs: BlobStore
}

/** The caller of an authenticated operation. */
export function actorOf({ actor }: { actor: Actor | undefined }): Actor {
  if (!actor) throw new Failure('unauthenticated', 'An access token is needed')
  return actor
}

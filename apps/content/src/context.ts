import type { BlobStore } from '@recto/blobs'
import type { peopleCalls } from '@recto/contracts'
import { Failure, type Actor, type Client } from '@recto/operation'
import type { ServiceContext } from '@recto/service'

/** What every handler of content receives. */
export interface Context extends ServiceContext {
  publicUrl: string
  signingSecret: string
  /** What cursors are signed with: another key for each list, so for each operation with what it was asked. */
  cursorKey(): string
  encryptionKey: string
  blobs: BlobStore
  /** Calls of the service that knows who is in an organization. */
  people: Client<typeof peopleCalls>
}

/** The caller of an authenticated operation. */
export function actorOf({ actor }: { actor: Actor | undefined }): Actor {
  if (!actor) throw new Failure('unauthenticated', 'An access token is needed')
  return actor
}

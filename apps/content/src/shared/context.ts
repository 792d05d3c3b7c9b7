import type { BlobStore } from '@recto/blobs'
import type { peopleCalls } from '@recto/contracts'
import type { Actor } from '@recto/actor'
import type { Authenticated, Client } from '@recto/operation'
import type { ServiceContext } from '@recto/service'

/** What every handler of content receives. */
export interface BaseContext extends ServiceContext<Actor> {
  publicUrl: string
  signingSecret: string
  /** The key that signs the cursors of the requested list: it differs for each operation with its parameters. */
  cursorKey(): string
  encryptionKey: string
  blobs: BlobStore
  /** Calls of the service that knows who is in an organization. */
  people: Client<typeof peopleCalls>
}

/** What handlers of operations that need a token receive: the actor is known. */
export type Context = Authenticated<BaseContext>

import type { BlobStore } from '@recto/blobs'
import type { peopleCalls } from '@recto/contracts'
import type { Actor } from '@recto/actor'
import type { Authenticated, Client } from '@recto/operation'
import type { ServiceContext } from '@recto/service'

/** The context of every handler of content. */
export interface BaseContext extends ServiceContext<Actor> {
  publicUrl: string
  signingSecret: string
  /** Version of this build. */
  build: string
  /** The key that signs the cursors of the requested list; it differs for each operation and its parameters. */
  cursorKey(): string
  encryptionKey: string
  blobs: BlobStore
  /** Calls of identity, which knows the members of organizations. */
  people: Client<typeof peopleCalls>
}

/** The context of handlers whose operation needs a token: the actor is known. */
export type Context = Authenticated<BaseContext>

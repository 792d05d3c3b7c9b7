import type { Actor } from '@recto/actor'
import type { BlobStore } from '@recto/blobs'
import type { Authenticated } from '@recto/operation'
import type { ServiceContext } from '@recto/service'

/** What every handler of the service receives. */
export interface BaseContext extends ServiceContext<Actor> {
  publicUrl: string
  /** The key that signs the cursors of the requested list; it differs for each operation and its parameters. */
  cursorKey(): string
  /** The contents of versions, by their hash. */
  contents: BlobStore
  /** Starts to process what is due, without waiting for it. */
  processDue(): void
}

/** The context of operations that need a token: the actor is known. */
export type Context = Authenticated<BaseContext>

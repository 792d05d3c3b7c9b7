import type { Actor } from '@recto/actor'
import type { BlobStore } from '@recto/blobs'
import type { shownSpecCalls } from '@recto/contracts-content-bus'
import type { SpecificationReading } from '@recto/contracts-openapi-specs-bus'
import type { Authenticated, Client } from '@recto/operation'
import type { ServiceContext } from '@recto/service'
import type { z } from 'zod'

/** The context that every handler of the service receives. */
export interface BaseContext extends ServiceContext<Actor> {
  publicUrl: string
  /** The contents of versions, by their hash. */
  contents: BlobStore
  /** A content as YAML. */
  yamlOf(hash: string): Promise<string>
  /** Starts to process what is due, without waiting for it. */
  processDue(): void
  /** Reads a specification without keeping it. */
  readSpecification(url: string): Promise<z.output<typeof SpecificationReading>>
  /** Calls of content, which knows what the pages of spaces name. */
  content: Client<typeof shownSpecCalls>
}

/** The context of operations that need a token: the actor is known. */
export type Context = Authenticated<BaseContext>

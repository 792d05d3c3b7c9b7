import type { BlobStore } from '@recto/blobs'
import type { openApiSpecCalls } from '@recto/contracts-openapi-specs-bus'
import type { peopleCalls } from '@recto/contracts-identity-bus'
import type { publishingRpc } from '@recto/contracts-publishing-bus'
import type { Actor } from '@recto/actor'
import type { ConvertTasks } from '@recto/convert'
import type { MarkdownTasks } from '@recto/markdown'
import type { Authenticated, Client, Secrets } from '@recto/operation'
import type { Outgoing } from '@recto/outgoing'
import type { ServiceContext } from '@recto/service'
import type { WorkerPool } from '@recto/worker-pool'

/** The context of every handler of content; rooms whose work runs in this process extend it, each with its own. */
export interface BaseContext extends ServiceContext<Actor> {
  publicUrl: string
  signingSecret: Secrets
  /** Version of this build. */
  build: string
  blobs: BlobStore
  /** Reads URLs that come from callers. */
  outgoing: Outgoing
  /** The same for visitors of sites: without the private addresses that the settings allow. */
  publicOutgoing: Outgoing
  /** Maximum size of a file, in bytes. */
  maxFileBytes: number
  /** Threads that parse what strangers wrote. */
  convert: WorkerPool<ConvertTasks>
  /** Threads that parse pages. */
  markdown: WorkerPool<MarkdownTasks>
  /** The folder of the built-in templates. */
  templates: string
  /** Calls of identity, which knows the members of organizations. */
  people: Client<typeof peopleCalls>
  /** Calls of publishing, which owns sites and their share links. */
  publishing: Client<typeof publishingRpc>
  /** Calls of the service that owns OpenAPI specifications. */
  specs: Client<typeof openApiSpecCalls>
}

/** The context of handlers whose operation needs a token: the actor is known. */
export type Context = Authenticated<BaseContext>

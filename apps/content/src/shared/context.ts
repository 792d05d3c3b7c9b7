import type { BlobStore } from '@recto/blobs'
import type { openApiSpecCalls } from '@recto/contracts-openapi-specs-bus'
import type { peopleCalls } from '@recto/contracts-identity-bus'
import type { publishingRpc } from '@recto/contracts-publishing-bus'
import type { Actor } from '@recto/actor'
import type { ConvertTasks } from '@recto/convert'
import type { MarkdownTasks } from '@recto/markdown'
import type { Authenticated, Client, Secrets } from '@recto/operation'
import type { Book, BookLimits, BookSource } from '@recto/pdf'
import type { Outgoing } from '@recto/outgoing'
import type { ServiceContext } from '@recto/service'
import type { WorkerPool } from '@recto/worker-pool'

/** The context of every handler of content. */
export interface BaseContext extends ServiceContext<Actor> {
  publicUrl: string
  signingSecret: Secrets
  /** Version of this build. */
  build: string
  /** The key that signs the cursors of the requested list; it differs for each operation and its parameters. */
  cursorKey(): Secrets
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
  /** Runs an accepted import, and resolves when this process has ended its work on it; never rejects. */
  runImport(id: string): Promise<void>
  /** Milliseconds that a request waits for its import. */
  importWait: number
  /** Makes PDFs in this process. */
  pdfMaker: PdfMaking
  /** The limits and fonts of PDFs, and the milliseconds that a request waits for one. */
  printing: { limits: BookLimits; fonts: string[]; wait: number }
  /** Whether translations can run. */
  hasTranslationEngine: boolean
  /** Works on a run of a translation, and resolves when this process has ended its work on it; never rejects. */
  runTranslation(id: string): Promise<void>
  /** The folder of the built-in templates. */
  templates: string
  /** Calls of identity, which knows the members of organizations. */
  people: Client<typeof peopleCalls>
  /** Calls of publishing, which owns sites and their share links. */
  publishing: Client<typeof publishingRpc>
  /** Calls of the service that owns OpenAPI specifications. */
  specs: Client<typeof openApiSpecCalls>
}

/** A PDF that is to be made, under the key of its row. */
export interface PdfOrder {
  key: string
  spaceId: string
  book: Book
  source: BookSource
}

/** Makes each PDF once at a time. */
export interface PdfMaking {
  /** Makes a PDF unless another process does; resolves when this process has ended its work on it. */
  make(order: PdfOrder): Promise<void>
}

/** The context of handlers whose operation needs a token: the actor is known. */
export type Context = Authenticated<BaseContext>

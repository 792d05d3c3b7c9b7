import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobStore } from '@recto/blobs'
import type { ImportSource } from '@recto/contracts-content'
import type { openApiSpecCalls } from '@recto/contracts-openapi-specs-bus'
import {
  convertDocxUrl,
  type ConvertedSet,
  ConvertFailure,
  convertHtmlUrl,
  type ConvertLimits,
  convertMarkdownUrl,
  type ConvertTasks,
  type ConvertTools,
  convertWebsite,
  convertZipUrl,
} from '@recto/convert'
import type { Client } from '@recto/operation'
import type { Outgoing } from '@recto/outgoing'
import type { WorkerPool } from '@recto/worker-pool'
import { fileStore, taskRunner } from '../conversions/convert-tools.ts'
import { withSettingsOfSet } from '../conversions/settings-of-set.rules.ts'
import { sourceReader } from './fetch-source.ts'
import { redactUrl } from './imports.rules.ts'
import { convertFiles, type SourceFile } from './convert-files.ts'
import { specificationPages } from './specification-pages.rules.ts'

const converters: Record<
  Exclude<ImportSource, 'openapi'>,
  (url: string, tools: ConvertTools) => Promise<ConvertedSet>
> = {
  markdown: convertMarkdownUrl,
  html: convertHtmlUrl,
  docx: convertDocxUrl,
  zip: convertZipUrl,
  website: convertWebsite,
}

/** Dependencies of conversions. */
export interface SourceTools {
  outgoing: Outgoing
  blobs: BlobStore
  pool: WorkerPool<ConvertTasks>
  specs: Pick<Client<typeof openApiSpecCalls>, 'readSpecification'>
  limits: ConvertLimits
}

/** The input and the callbacks of one conversion. */
export interface SourceRequest {
  source: ImportSource | 'file'
  url: string
  files: SourceFile[]
  signal: AbortSignal
  /** Ends the conversion for a reason that is not the fault of the source. */
  abort(reason: unknown): void
  report(progress: { done: number; total: number }): void
  /** Is called with the hash of each stored file. */
  onStored: (hash: string) => void
}

/** Converts the source at a URL to pages and files. A failure of the blob store aborts the conversion: the source is not to blame. */
export async function convertSource(tools: SourceTools, request: SourceRequest): Promise<ConvertedSet> {
  if (request.source === 'openapi') return convertSpecification(tools, request)
  const { signal, source, url, files } = request
  const folder = await mkdtemp(join(tmpdir(), 'recto-import-'))
  const store = fileStore(tools.blobs)
  try {
    const convertTools: ConvertTools = {
      ...sourceReader(tools.outgoing, { folder, signal }),
      run: taskRunner(tools.pool, signal),
      async storeFile(content) {
        let sourceFailed = false
        const stored = store.storeFile(
          content instanceof Uint8Array ? content : watchFailures(content, () => (sourceFailed = true)),
        )
        const { hash, size } = await stored.catch((error: unknown) => {
          if (!sourceFailed) request.abort(error)
          throw error
        })
        request.onStored(hash)
        return { hash, size }
      },
      limits: tools.limits,
      report: request.report,
      signal,
    }
    if (source === 'file') return await convertFiles(files, { tools: convertTools, blobs: tools.blobs, folder })
    return withSettingsOfSet(await converters[source](url, convertTools))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Converts a specification, which openapi-specs reads, with the files that it refers to. */
async function convertSpecification(tools: SourceTools, { url }: SourceRequest): Promise<ConvertedSet> {
  const read = await tools.specs.readSpecification({ body: { url } })
  if (read.kind === 'failure') throw new ConvertFailure(read.reason, read.message)
  return specificationPages(read.outline, redactUrl(url))
}

async function* watchFailures(source: AsyncIterable<Uint8Array>, onFailure: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (error) {
    onFailure()
    throw error
  }
}

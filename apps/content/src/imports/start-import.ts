import { setTimeout as sleep } from 'node:timers/promises'
import { type imports, isImportable } from '@recto/contracts-content'
import type { Actor } from '@recto/actor'
import { createId, Failure, fieldFault, type Input, type Output } from '@recto/operation'
import { readsSpecifications } from '../computed-pages/specifications.policy.ts'
import { requireParent } from '../editing/add-content.ts'
import { readableChangeRequest } from '../change-requests/readable-change-request.ts'
import { changeRequestWriter } from '../editing/change-request-writer.ts'
import { type ContentWriter, mainContentWriter } from '../editing/content-writer.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import type { ImportContext } from './imports.context.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { ContentImportRow } from './content-import.entity.ts'
import { recordImportStart } from './import-records.ts'
import * as repository from './imports.repository.ts'

/** Milliseconds between two polls of an import on which another process works. */
const pollMs = 500

/** The kind of content to import into: main content or a change request. */
export interface ImportTarget<Params extends { spaceId: string }> {
  writer: ContentWriter<Params>
  /** Reads the current revision. */
  current(
    params: Params,
    context: ImportContext,
  ): Promise<{ organizationId: string; changeRequestId: string | null; revision: string }>
}

/** Imports into the main content of a space. */
export const intoMain: ImportTarget<{ spaceId: string }> = {
  writer: mainContentWriter,
  async current({ spaceId }, context) {
    const { space } = await readableSpace(context, spaceId)
    return { organizationId: space.organizationId, changeRequestId: null, revision: space.revision }
  },
}

/** Imports into the content of a change request. */
export const intoChangeRequest: ImportTarget<{ spaceId: string; changeRequestId: string }> = {
  writer: changeRequestWriter,
  async current(params, context) {
    const { space, changeRequest } = await readableChangeRequest(context, params)
    const { id: changeRequestId, revision } = changeRequest
    return { organizationId: space.organizationId, changeRequestId, revision }
  },
}

type ImportRequest = Input<typeof imports.importContent>['body']

/** Accepts an import, below a page if the path names one, and waits for its end for a limited time. */
export async function startImport<Params extends { spaceId: string }>(
  { writer, current }: ImportTarget<Params>,
  { params, body: { url, source } }: { params: Params & { pageId?: string }; body: ImportRequest },
  context: ImportContext,
): Promise<Output<typeof imports.importContent>> {
  await writer.requireWritable(params, context)
  const { organizationId, changeRequestId, revision: before } = await current(params, context)
  const page = params.pageId === undefined ? null : await requireParentId(before, params.pageId, context)
  if (!isImportable(source)) throw fieldFault('body.source', 'is not available')
  requireNoCredentials(url, 'body.url')
  const { spaceId } = params
  const by = importedBy(context.actor, organizationId)
  const row = newImport({ spaceId, changeRequestId, page, source, url, ...by })
  // The row is inserted in the transaction of the request, so that a request repeated with its key imports once.
  await context.transaction(async tx => {
    await repository.insert(tx, row)
    recordImportStart(tx, { ...row, organizationId })
  })
  const latest = await waitForImport(row, context)
  if (latest?.state === 'cancelled') throw new Failure('conflict', 'The import was cancelled')
  if (latest?.state === 'failure' && latest.error) {
    // Nothing but the row was committed, so the request may be repeated with its key, and starts a new import.
    await context.releaseKey()
    throw new Failure(latest.error.code, latest.error.message)
  }
  context.setLocation(`${context.publicUrl}/v1/spaces/${spaceId}/content/imports/${row.id}`)
  const revision = latest?.revision ?? (await current(params, context)).revision
  return { revision, importedResources: latest?.done ?? 0, totalResources: latest?.total ?? 0 }
}

/** Throws `invalid_request`, with its field, for a URL with credentials. */
export function requireNoCredentials(url: string, field: string): void {
  const { username, password } = new URL(url)
  if (username !== '' || password !== '') throw fieldFault(field, 'must not contain credentials')
}

/**
 * Returns the id of the page to import below. Throws `not_found` when the revision lacks it, and `conflict` when it is a link or a computed
 * page.
 */
export async function requireParentId(revisionId: string, pageId: string, { db }: ImportContext): Promise<string> {
  const revision = await revisions.find(db, revisionId)
  const index = revision && (await loadPageIndex(db, revision))
  return requireParent(index?.get(pageId)).id
}

type ImportedBy = Pick<ContentImportRow, 'createdBy' | 'readsSpecifications'>
type NewImport = Pick<ContentImportRow, 'spaceId' | 'changeRequestId' | 'page' | 'source' | 'url'> &
  ImportedBy &
  Partial<Pick<ContentImportRow, 'files' | 'siteId'>>

/** Who starts an import, and what it may name therefore: it is carried out later, without their token. */
export function importedBy(actor: Actor, organizationId: string): ImportedBy {
  return { createdBy: actor.userId, readsSpecifications: readsSpecifications(actor, organizationId) }
}

/** An import that waits for its turn. */
export function newImport(fields: NewImport): ContentImportRow {
  return {
    id: createId(),
    files: [],
    siteId: null,
    ...fields,
    state: 'queued',
    attempts: 0,
    heartbeatAt: null,
    done: 0,
    total: 0,
    createdAt: new Date(),
    startedAt: null,
    completedAt: null,
    revision: null,
    error: null,
    warnings: [],
    pages: [],
  }
}

/** Waits until an import has ended or the time is over, and returns its row. */
async function waitForImport(
  { id }: ContentImportRow,
  { db, importer, importWait }: ImportContext,
): Promise<ContentImportRow | undefined> {
  const until = Date.now() + importWait
  const timer = new AbortController()
  const limit = sleep(importWait, undefined, { signal: timer.signal }).catch(() => undefined)
  await Promise.race([importer.run(id), limit])
  timer.abort()
  for (;;) {
    const row = await repository.find(db, id)
    const isOpen = row?.state === 'running' && row.heartbeatAt !== null
    if (!isOpen || Date.now() > until) return row
    await sleep(pollMs)
  }
}

import { downloadIssuedFor } from '@recto/actor/site-version'
import { urls } from '@recto/contracts-content'
import { Failure, feature } from '@recto/operation'
import type { ChangeRequestRow } from '../change-requests/change-request.entity.ts'
import * as changeRequests from '../change-requests/change-requests.repository.ts'
import { presentOne } from '../change-requests/present-change-request.ts'
import { requireReadCollection } from '../collections/collections.policy.ts'
import * as collections from '../resources/collections.repository.ts'
import { presentCollection } from '../collections/present-collection.ts'
import { presentSpace } from '../spaces/present-space.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import { presentPage } from '../pages/present-page.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { locateUrl, type PageAddress, type UrlLocation } from './locate-url.rules.ts'

export const urlFeature = feature<BaseContext>()(urls, {
  async getContentByUrl({ query }, context) {
    const location = locateUrl(query.url, context.publicUrl)
    if (!location) throw noContent()
    return location.kind === 'collection' ? collectionAt(location, context) : spaceAt(location, context)
  },
})

async function collectionAt({ collectionId }: UrlLocation & { kind: 'collection' }, context: Context) {
  const { actor, db, publicUrl } = context
  const { collection, access } = requireReadCollection(actor, await collections.findWithAcl(db, collectionId, actor))
  return { collection: presentCollection(collection, access, publicUrl) }
}

async function spaceAt(location: UrlLocation & { kind: 'space' }, context: Context) {
  const { spaceId, revisionId, changeRequestId, page } = location
  const readable = await readableSpace(context, spaceId)
  const { space, access } = readable
  const changeRequest = await changeRequestAt(location, context)
  const place = {
    space: presentSpace(space, access, context.publicUrl),
    ...(changeRequest && { changeRequest: await presentOne(context, { ...readable, changeRequest }) }),
  }
  if (revisionId === undefined && changeRequestId === undefined && !page) return place
  const revision = await revisions.find(context.db, changeRequest?.revision ?? revisionId ?? space.revision)
  if (revision?.spaceId !== spaceId) throw noContent()
  return page ? { ...place, page: await pageAt(page, revision, context) } : place
}

async function changeRequestAt(
  { spaceId, changeRequestId }: UrlLocation & { kind: 'space' },
  { db }: Context,
): Promise<ChangeRequestRow | undefined> {
  if (changeRequestId === undefined) return undefined
  const changeRequest = await changeRequests.find(db, spaceId, changeRequestId)
  if (!changeRequest) throw noContent()
  return changeRequest
}

async function pageAt(page: PageAddress, revision: Parameters<typeof loadShownPages>[1], context: Context) {
  const { publicUrl, signingSecret, actor } = context
  const index = await loadShownPages(context.db, revision)
  const record = 'id' in page ? index.get(page.id) : index.byPath(page.path)
  if (record?.type !== 'document' && record?.type !== 'group') throw noContent()
  const issuedFor = downloadIssuedFor(actor.visitor)
  const { spaceId } = revision
  const variables = !actor.visitor
  return presentPage(record, index, { spaceId, publicUrl, signingSecret, issuedFor, metadata: true, variables })
}

function noContent(): Failure {
  return new Failure('not_found', 'The URL leads to no content')
}

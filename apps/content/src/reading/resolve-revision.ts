import type { Visitor } from '@recto/actor'
import { downloadIssuedFor } from '@recto/actor/site-version'
import { maxVisitorTokenLength } from '@recto/actor/visitor-token'
import { Failure } from '@recto/operation'
import { readableSpace } from '../spaces/readable-space.ts'
import type { Publication } from '../resources/space.entity.ts'
import type { ReadableSpace } from '../spaces/spaces.policy.ts'
import type { Presentation } from '../pages/present-page.ts'
import type { Context } from '../shared/context.ts'
import * as changeRequests from '../change-requests/change-requests.repository.ts'
import { readableChangeRequest } from '../change-requests/readable-change-request.ts'
import { viewContent, type ContentView } from '../audience/content-view.ts'
import { contentTag } from '../revisions/content-tag.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'

/** The parameters and the query of a read. */
export interface RevisionRequest {
  spaceId: string
  revisionId?: string
  changeRequestId?: string
  metadata: 'true' | 'false'
  /** Whether computed pages are shown in place of their declarations; true by default. */
  computed?: 'true' | 'false'
}

/** The revision of a branch, with the view of the caller and the presentation. */
export interface ResolvedRevision {
  revision: RevisionRow
  view: ContentView
  presentation: Presentation
  computed: 'true' | 'false'
  /** Where a site shows it, for members: main content alone. */
  publication: Publication | null
}

/** A branch of a space's content: finds the revision that a request reads. Throws `not_found` when the caller may not read the space. */
export type ResolveRevision = (request: RevisionRequest, context: Context) => Promise<ResolvedRevision>

/** The main content of a space. */
export const mainContent: ResolveRevision = async (request, context) => {
  const { space } = await readableSpace(context, request.spaceId)
  const revision = await revisions.find(context.db, space.revision)
  return openRevision({ space, revision, publication: space.publication }, request, context)
}

/**
 * The content of a space that has a document: main content, or for those who read the space with a token of their own the newest revision
 * with it. A hash gives access to nothing: content of other spaces is not looked at.
 */
export function contentWithDocument(documentId: string): ResolveRevision {
  return async (request, context) => {
    const main = await mainContent(request, context)
    if (context.actor.visitor || (await hasDocument(main.view, documentId))) return main
    const revisionId = await revisions.newestWithDocument(context.db, request.spaceId, documentId)
    return revisionId === undefined ? main : pastRevision({ ...request, revisionId }, context)
  }
}

async function hasDocument(view: ContentView, documentId: string): Promise<boolean> {
  const pages = await view.pages()
  if (pages.inOrder().some(({ document }) => document === documentId)) return true
  return (await view.reusableContents()).some(({ document }) => document === documentId)
}

/** A past revision of a space. */
export const pastRevision: ResolveRevision = async (request, context) => {
  const { space } = await readableSpace(context, request.spaceId)
  return revisionIn(space, request, context)
}

/** A past revision of a space that the caller may read. Throws `not_found` for one that is not shown to them. */
export async function revisionIn(
  space: ReadableSpace['space'],
  request: RevisionRequest,
  context: Context,
): Promise<ResolvedRevision> {
  const revision = await revisions.find(context.db, request.revisionId ?? '')
  const isOfSpace = revision?.spaceId === request.spaceId
  const isShown = isOfSpace && (await isShownToCaller(revision, { space, context }))
  return openRevision({ space, revision: isShown ? revision : undefined }, request, context)
}

/** Whether a visitor may read a revision: main content, what it was while their token lived, and previews; nothing older, and no proposal. */
async function isShownToCaller(
  revision: RevisionRow,
  { space, context }: { space: ReadableSpace['space']; context: Context },
): Promise<boolean> {
  const { db } = context
  const { visitor } = context.actor
  if (!visitor || visitor.previews || revision.id === space.revision || revision.id === visitor.revision) return true
  if (await wasMainSince(revision, tokenStart(visitor), db)) return true
  if (visitor.changeRequest === undefined) return false
  const previewedRequest = await changeRequests.find(db, revision.spaceId, visitor.changeRequest)
  return previewedRequest?.revision === revision.id
}

/** Milliseconds by which the clocks of services may differ. */
const clockTolerance = 5_000

/** The time from which a visitor's token may have been used; a token without that time may be as old as the longest allows. */
function tokenStart({ since = Date.now() - maxVisitorTokenLength }: Visitor): Date {
  return new Date(since - clockTolerance)
}

async function wasMainSince({ spaceId, mainNumber }: RevisionRow, time: Date, db: Context['db']): Promise<boolean> {
  if (mainNumber === null) return false
  const until = await revisions.mainUntil(db, { spaceId, mainNumber })
  return until === undefined || until >= time
}

/** The content of a change request. */
export const changeRequestContent: ResolveRevision = async (request, context) => {
  const { changeRequest, space } = await readableChangeRequest(context, request)
  return openRevision({ space, revision: await revisions.find(context.db, changeRequest.revision) }, request, context)
}

interface OpenedRevision {
  space: ReadableSpace['space']
  revision: RevisionRow | undefined
  /** Where a site shows it; none for a revision by id, since replies of those are kept by caches. */
  publication?: Publication | null
}

/** Ends a request whose client has the revision already. */
async function openRevision(
  { space, revision, publication: place = null }: OpenedRevision,
  { spaceId, metadata, computed = 'true' }: RevisionRequest,
  context: Context,
): Promise<ResolvedRevision> {
  const { publicUrl, signingSecret, build, setETag, db } = context
  const { visitor } = context.actor
  if (!revision) throw new Failure('not_found', 'There is no such revision')
  // Readers of the space preview it as it was; for others, content that is hidden now is hidden in every revision.
  const isJudged = visitor && !visitor.previews && revision.id !== space.revision && revision.id !== visitor.revision
  const current = isJudged ? await revisions.get(db, space.revision) : undefined
  // Texts for visitors name addresses of their site, which its version stands for.
  const visitorScope = visitor && [visitor.claims, visitor.showsGit, ...siteOf(visitor), current?.id]
  const publication = visitor ? null : place
  const scope = visitorScope ?? publication
  const variant = scope ? `${build}:${JSON.stringify(scope)}` : build
  setETag(contentTag(revision.id, { build: variant, now: new Date() }))
  const showsGit = metadata === 'true' && (!visitor || visitor.showsGit === true)
  const issuedFor = downloadIssuedFor(visitor)
  const presentation = { spaceId, publicUrl, signingSecret, issuedFor, metadata: showsGit, variables: !visitor }
  return { revision, view: viewContent(context, { revision, current }), presentation, computed, publication }
}

function siteOf({ site, version, previews, changeRequest, revision }: Visitor): unknown[] {
  return [site, version, previews === true || changeRequest !== undefined || revision !== undefined]
}

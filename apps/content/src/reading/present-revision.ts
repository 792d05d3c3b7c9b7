import { presentOne } from '../change-requests/present-change-request.ts'
import { readableChangeRequest } from '../change-requests/readable-change-request.ts'
import { presentRevisionTags, tagNames } from '../pages/page-tags.rules.ts'
import { publishedUrls } from '../sites/publication.rules.ts'
import { presentFile, presentReusable, presentTree } from '../pages/present-page.ts'
import type { Context } from '../shared/context.ts'
import { seenTags } from './seen-tags.ts'
import type { ResolvedRevision } from './resolve-revision.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'

/** A revision with its page tree, files and reusable contents as the API shows it. */
export async function presentRevision(source: ResolvedRevision, context: Context) {
  const { revision, view, presentation, computed, publication } = source
  const [pages, files, reusable] = await Promise.all([view.pages(computed), view.files(), view.reusableContents()])
  const isVisitor = context.actor.visitor !== undefined
  const names = tagNames(pages.inOrder())
  return {
    object: 'revision' as const,
    id: revision.id,
    ...(await presentOrigin(context, revision)),
    tags: presentRevisionTags(await seenTags(names, source, context), names),
    // Visitors learn no ids of history, and no values that only hidden text may name.
    parents: isVisitor ? [] : revision.parents,
    pages: await presentTree(pages, presentation),
    files: files.inOrder.map(file => presentFile(file, presentation)),
    reusableContents: reusable.map(record => presentReusable(record, presentation)),
    variables: isVisitor ? {} : revision.variables,
    createdAt: revision.createdAt.toISOString(),
    ...(revision.git && presentation.metadata && { git: presentCommit(revision.git) }),
    urls: {
      app: `${presentation.publicUrl}/s/${revision.spaceId}/~/revisions/${revision.id}`,
      ...publishedUrls(publication),
    },
  }
}

/** The type and the origin of a revision. Visitors do not see whose change request was merged. */
async function presentOrigin(context: Context, revision: RevisionRow) {
  if (context.actor.visitor) return { type: 'edits' as const }
  const { type, parents, id } = revision
  // Made of the content before it, whose pages were computed from an earlier version.
  const source = type === 'computed' && { sourceRevision: parents[0] ?? id }
  return { type, ...source, ...(await presentMergedFrom(context, revision.spaceId, revision)) }
}

/** A commit as the API shows it. */
export function presentCommit({ oid, message, ref, url, createdByService }: NonNullable<RevisionRow['git']>) {
  return { oid, message, ref, ...(url !== undefined && { url }), createdByService, createdByGitBook: createdByService }
}

/** The change request whose merge made a revision, as a field of a reply; nothing for other revisions. */
export async function presentMergedFrom(context: Context, spaceId: string, { mergedFrom }: RevisionRow) {
  if (mergedFrom === null) return {}
  return {
    mergedFrom: await presentOne(
      context,
      await readableChangeRequest(context, { spaceId, changeRequestId: mergedFrom }),
    ),
  }
}

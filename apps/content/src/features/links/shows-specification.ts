import type { Actor } from '@recto/actor'
import { readDocument, textOfPage, textOfReusable } from '../../branches/read-text.ts'
import { visiblePages } from '../../branches/audience/visible-pages.ts'
import { shownSpaces } from '../../hierarchy/spaces/shown-spaces.ts'
import { loadReusableContents } from '../../pages/revision-index.ts'
import type { BaseContext, Context } from '../../shared/context.ts'
import type { RevisionRow } from '../../store/revisions/revision.entity.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import { findIncluding, findNaming, type Referrer } from '../../branches/references/spec-references.repository.ts'

/** Reusable contents that include others; a circle of them ends here. */
const deepest = 4

interface Question {
  actor: Actor
  organization: string
  spec: string
}

/**
 * Whether a page that a visitor sees shows a specification: a page that is computed from it, or one whose text has a block of it, also in a
 * reusable content. What conditions hide from the visitor counts as not there. The main content of the spaces of the token decides, and of
 * a preview, computed pages of what it previews, too.
 */
export async function showsSpecification(base: BaseContext, question: Question): Promise<boolean> {
  const { actor, organization, spec } = question
  const { visitor } = actor
  if (!visitor) return false
  const context: Context = { ...base, actor }
  const spaces = await shownSpaces(base.db, { actor, organization, ids: visitor.spaces })
  const previewed = visitor.revision === undefined ? undefined : await revisions.find(base.db, visitor.revision)
  const isOfSpace = previewed && spaces.some(({ id }) => id === previewed.spaceId)
  if (isOfSpace && (await hasComputed(previewed, spec, context))) return true
  const revisionOf = new Map(spaces.map(({ id, revision }) => [id, revision]))
  for (const referrer of await findNaming(base.db, [...revisionOf.keys()], spec)) {
    const revision = await revisions.find(base.db, revisionOf.get(referrer.spaceId) ?? '')
    if (revision && (await isSeen(referrer, { revision, ref: { kind: 'openapi', spec }, depth: 0 }, context)))
      return true
  }
  return false
}

async function hasComputed(revision: RevisionRow, spec: string, context: Context): Promise<boolean> {
  const { computed } = await visiblePages(context, revision)
  return computed.some(page => contains(page.computed, { kind: 'openapi', spec }))
}

interface Place {
  revision: RevisionRow
  /** What the visitor must see in it. */
  ref: Record<string, string>
  depth: number
}

/** Whether a visitor sees a reference in a page, or in a reusable content that a page which they see includes. */
async function isSeen(referrer: Referrer, { revision, ref, depth }: Place, context: Context): Promise<boolean> {
  const request = { evaluated: 'true' as const, revision }
  if (referrer.sourceKind === 'page') {
    const index = await visiblePages(context, revision)
    const page = index.get(referrer.sourceId)
    if (!page) return false
    return page.type === 'computed' || contains(await readDocument(textOfPage(page, index), request, context), ref)
  }
  const reusable = await loadReusableContents(context.db, revision.reusableRoot)
  const found = reusable.find(({ id }) => id === referrer.sourceId)
  if (!found || depth === deepest || !contains(await readDocument(textOfReusable(found), request, context), ref))
    return false
  const included = { kind: 'reusable-content', reusableContent: found.id }
  for (const including of await findIncluding(context.db, referrer))
    if (await isSeen(including, { revision, ref: included, depth: depth + 1 }, context)) return true
  return false
}

/** Whether a document has a reference somewhere. */
function contains(value: unknown, ref: Record<string, string>): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(item => contains(item, ref))
  const fields = value as Record<string, unknown>
  if (Object.entries(ref).every(([key, expected]) => fields[key] === expected)) return true
  return Object.values(fields).some(item => contains(item, ref))
}

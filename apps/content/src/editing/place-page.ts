import type { PageRecord } from '../revisions/records.ts'
import type { Step } from './batch.ts'
import { changeConflict, changeFault } from './change-fault.ts'

/** Returns the page that a change names by id, or by the name that an earlier change gave it. Throws `conflict` when there is none. */
export function requirePage(name: string, field: string, { batch, at }: Step): PageRecord {
  const ref = batch.refs.get(name)
  const record = batch.pages.get(ref?.kind === 'page' ? ref.id : name)
  if (record) return record
  throw changeConflict(at, field, 'is not a page of the content, nor one that an earlier change inserts')
}

/** Returns the page below which a change puts a page of this type; null is the root. Throws when pages of this type cannot be below it. */
export function parentPage(into: string | null | undefined, type: PageRecord['type'], step: Step): PageRecord | null {
  if (into === null || into === undefined) return null
  const parent = requirePage(into, 'into', step)
  if (type === 'group') throw changeFault(step.at, 'into', 'must be left out: groups exist at the root only')
  if (parent.type === 'document' || parent.type === 'group') return parent
  throw changeFault(step.at, 'into', `is a ${parent.type} page, which has no pages below it`)
}

/** Throws `invalid_request` when moving a page below this parent would make it its own ancestor. */
export function requireNoCycle(page: PageRecord, parent: PageRecord | null, { batch, at }: Step): void {
  for (let above = parent; above; above = above.parent === null ? null : (batch.pages.get(above.parent) ?? null)) {
    if (above.id === page.id) throw changeFault(at, 'into', 'is the page itself, or below it')
  }
}

/** Returns the slug that a change sets; throws `conflict` when a sibling has it. */
export function requireFreeSlug(
  slug: string,
  parent: string | null,
  { page, step }: { page?: string; step: Step },
): string {
  if (step.batch.pages.isSlugFree(slug, parent, page)) return slug
  throw changeConflict(step.at, 'slug', 'is the slug of a sibling')
}

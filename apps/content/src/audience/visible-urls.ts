import { meetsAll } from '@recto/audience'
import type { Context } from '../shared/context.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { findUrlReferrers } from '../links/target-lists.repository.ts'
import { viewContent } from './content-view.ts'
import { scopeIn } from './visible-pages.ts'

/**
 * Whether main content has the URL in a place that the caller sees. The URL is looked up in the projected references, which may not have a
 * URL yet that was added a moment ago.
 */
export async function isUrlVisible(
  context: Context,
  space: { id: string; revision: string },
  url: string,
): Promise<boolean> {
  const { db } = context
  const referrers = await findUrlReferrers(db, space.id, url)
  if (referrers.length === 0) return false
  const revision = await revisions.get(db, space.revision)
  const sources = await visibleSources(context, revision)
  return referrers.some(({ sourceId, visibleWhen }) => {
    const source = sources(sourceId)
    return source && (visibleWhen ?? [[]]).some(conditions => source.meets(conditions))
  })
}

/** Returns a function that finds a page or reusable content of a revision by id, if the caller sees it. */
async function visibleSources(context: Context, revision: RevisionRow) {
  const { visitor } = context.actor
  const view = viewContent(context, { revision })
  const pages = await view.pages()
  const reusable = new Set((await view.reusableContents()).map(({ id }) => id))
  return (id: string) => {
    const page = pages.get(id)
    if (!page && !reusable.has(id)) return undefined
    return {
      meets: (conditions: readonly string[]) =>
        !visitor || meetsAll(conditions, scopeIn(visitor, revision), page?.variables),
    }
  }
}

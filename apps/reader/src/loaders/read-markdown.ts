import type { Reads } from '../api/reads.ts'
import type { DocumentPage } from '../api/types.ts'
import type { OpenedSite } from './open-site.ts'

/** Reads a page as Markdown: what its conditions let the visitor see, with the values of its expressions. */
export async function readMarkdown(
  { id }: DocumentPage,
  { site, reads }: { site: OpenedSite; reads: Pick<Reads, 'immutable'> },
): Promise<string> {
  const path = `/spaces/${site.space.id}/revisions/${site.revision.id}/page/${id}`
  const query = { format: 'markdown', evaluated: 'true' }
  const { markdown = '' } = await reads.immutable<{ markdown?: string }>({ path, query, token: site.lookup.apiToken })
  return markdown
}

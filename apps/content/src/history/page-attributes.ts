import type { SemanticChange as WireChange } from '@recto/contracts-content'
import type { z } from 'zod'
import type { ContentLookup } from '../pages/content-lookup.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { presentPage, type Presentation } from '../pages/present-page.ts'
import type { PageRecord } from '../revisions/records.ts'
import { changedAttributes } from './changed-attributes.ts'

type PageEdited = Extract<z.input<typeof WireChange>, { type: 'page_edited' }>

/** A page in its tree, and what the target of a link is looked up in. */
interface PlacedPage {
  record: PageRecord
  index: PageIndex
  content: ContentLookup | undefined
}

/** The fields of a page that differ between two revisions, as readers see them; its place in the tree and git metadata are not among them. */
export function pageAttributes(
  before: PlacedPage,
  after: PlacedPage,
  presentation: Presentation,
): PageEdited['attributes'] {
  return changedAttributes(fieldsOf(before, presentation), fieldsOf(after, presentation)) as PageEdited['attributes']
}

function fieldsOf({ record, index, content }: PlacedPage, presentation: Presentation) {
  const flat = { childrenOf: () => [], pathOf: (id: string) => index.pathOf(id) }
  const page: Record<string, unknown> = {
    ...presentPage(record, flat, content ? { ...presentation, content } : presentation),
  }
  const presentedFields = ['title', 'slug', 'description', 'emoji', 'icon', 'hidden', 'noIndex', 'noRobotsIndex']
  const settings = ['cover', 'layout', 'variables', 'target', 'computed']
  return {
    type: record.type,
    ...Object.fromEntries([...presentedFields, ...settings].map(name => [name, page[name]])),
    document: record.document,
    condition: record.condition,
  }
}

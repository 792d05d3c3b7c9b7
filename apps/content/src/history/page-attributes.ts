import type { SemanticChange as WireChange } from '@recto/contracts-content'
import type { z } from 'zod'
import type { ContentLookup } from '../pages/content-lookup.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { presentPage, type Presentation } from '../pages/present-page.ts'
import type { PageRecord } from '../revisions/records.ts'
import { changedAttributes } from './changed-attributes.ts'

type PageEdited = Extract<z.input<typeof WireChange>, { type: 'page_edited' }>

/** A page in its tree, with the content that a link's target is looked up in. */
interface PageInTree {
  record: PageRecord
  index: PageIndex
  content: ContentLookup | undefined
}

/** Finds the presented fields of a page that differ between two revisions, without its place in the tree and git metadata. */
export function pageAttributes(
  before: PageInTree,
  after: PageInTree,
  presentation: Presentation,
): PageEdited['attributes'] {
  return changedAttributes(fieldsOf(before, presentation), fieldsOf(after, presentation)) as PageEdited['attributes']
}

function fieldsOf({ record, index, content }: PageInTree, presentation: Presentation) {
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

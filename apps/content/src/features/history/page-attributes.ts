import type { SemanticChange as WireChange } from '@recto/contracts'
import type { z } from 'zod'
import type { PageIndex } from '../../pages/page-tree.ts'
import { presentPage, type Presentation } from '../../pages/present-page.ts'
import type { PageRecord } from '../../store/revisions/records.ts'
import { changedFields } from './changed-attributes.ts'

type PageEdited = Extract<z.input<typeof WireChange>, { type: 'page_edited' }>

/** The fields of a page that differ between two revisions, as readers see them; its place in the tree and git metadata are not among them. */
export function pageAttributes(
  before: { record: PageRecord; index: PageIndex },
  after: { record: PageRecord; index: PageIndex },
  presentation: Presentation,
): PageEdited['attributes'] {
  return changedFields(fieldsOf(before, presentation), fieldsOf(after, presentation)) as PageEdited['attributes']
}

function fieldsOf({ record, index }: { record: PageRecord; index: PageIndex }, presentation: Presentation) {
  const flat = { childrenOf: () => [], pathOf: (id: string) => index.pathOf(id) }
  const page: Record<string, unknown> = { ...presentPage(record, flat, presentation) }
  const shown = ['title', 'slug', 'description', 'emoji', 'icon', 'hidden', 'noIndex', 'noRobotsIndex']
  const settings = ['cover', 'layout', 'variables', 'target', 'computed']
  return {
    type: record.type,
    ...Object.fromEntries([...shown, ...settings].map(name => [name, page[name]])),
    document: record.document,
    condition: record.condition,
  }
}

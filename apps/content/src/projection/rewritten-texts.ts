import type { Db } from '@recto/database'
import { forEachOutline, type Outline } from '../documents/outline.ts'
import type { MarkdownPool } from '../documents/parse-once.ts'
import { groupBy } from '../lists/group-by.ts'
import type { PageRecord, ReusableRecord } from '../revisions/records.ts'
import { type MainChange, rewrittenPages, rewrittenReusable } from './main-change.ts'

/** A page whose text or references may have changed, with the outline of its text if it has one. */
export interface OutlinedPage {
  page: PageRecord
  outline?: Outline
}

/** A reusable content whose text has changed, with its outline. */
export interface OutlinedReusable {
  reusable: ReusableRecord
  outline: Outline
}

/** A batch of texts that a change has rewritten. */
export interface RewrittenTexts {
  pages: OutlinedPage[]
  reusable: OutlinedReusable[]
}

/** Calls back with all pages and reusable contents whose text or references a change may have changed, in batches; no document is parsed twice. */
export async function forEachRewritten(
  tools: { db: Db; markdown: MarkdownPool },
  change: MainChange,
  use: (texts: RewrittenTexts) => Promise<void>,
): Promise<void> {
  const rewritten = rewrittenPages(change)
  const hasText = ({ type, document }: PageRecord) => type === 'document' && document !== undefined
  const withoutText = rewritten.filter(page => !hasText(page))
  if (withoutText.length > 0) await use({ pages: withoutText.map(page => ({ page })), reusable: [] })
  const pages = groupBy(rewritten.filter(hasText), ({ document }) => document ?? '')
  const reusable = groupBy(rewrittenReusable(change), ({ document }) => document)
  await forEachOutline(tools, new Set([...pages.keys(), ...reusable.keys()]), outlines => {
    const read = [...outlines]
    return use({
      pages: read.flatMap(([hash, outline]) => (pages.get(hash) ?? []).map(page => ({ page, outline }))),
      reusable: read.flatMap(([hash, outline]) =>
        (reusable.get(hash) ?? []).map(record => ({ reusable: record, outline })),
      ),
    })
  })
}

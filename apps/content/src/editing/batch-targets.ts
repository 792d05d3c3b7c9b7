import type { DocumentRef } from '@recto/markdown/schema'
import { pageFile } from '../pages/repository-files.ts'
import { writeTarget, type TargetContext } from '../pages/write-target.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { Batch } from './batch.ts'

/** The context in which the targets of a page of the batch are written. */
export function targetContext(page: PageRecord, { place, pages, files, reusable }: Batch): TargetContext {
  return {
    ...place,
    file: pageFile(page) ?? '',
    page: id => pages.get(id),
    fileById: id => files.get(id),
    reusable: id => reusable.get(id),
  }
}

/** Writes a reference of a document as a target, also one that names a page or file of the batch by its `ref`. */
export function batchTarget(
  ref: DocumentRef,
  context: TargetContext,
  { refs, kind }: Pick<Batch, 'refs'> & { kind?: 'openapi' | undefined },
): string {
  const idOf = (name: string) => refs.get(name)?.id ?? name
  if (ref.kind === 'page') return writeTarget({ ...ref, page: idOf(ref.page) }, context)
  if (ref.kind === 'anchor' && ref.page !== undefined) return writeTarget({ ...ref, page: idOf(ref.page) }, context)
  return writeTarget(ref.kind === 'file' ? { ...ref, file: idOf(ref.file) } : ref, context, kind)
}

/** Matches the targets in Markdown: in parentheses, in an attribute, or in a definition. */
const target =
  /(?<before>\]\(|\b(?:src|href|url|srcset)=["']|^\[[^\]\n]+\]:[ \t]+)(?:ref:)?(?<name>[^\s()"'#]+)(?=[\s()"'#]|$)/gm

/** Replaces the targets `NAME` and `ref:NAME` of pages and files of the batch by paths; all else stays. */
export function replaceBatchTargets(markdown: string, context: TargetContext, { refs }: Pick<Batch, 'refs'>): string {
  if (refs.size === 0) return markdown
  return markdown.replaceAll(target, (whole: string, ...rest: unknown[]) => {
    const { before, name } = rest.at(-1) as { before: string; name: string }
    const entry = refs.get(name)
    if (!entry) return whole
    const ref: DocumentRef = entry.kind === 'page' ? { kind: 'page', page: entry.id } : { kind: 'file', file: entry.id }
    return `${before}${writeTarget(ref, context)}`
  })
}

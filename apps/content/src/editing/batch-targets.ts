import type { DocumentRef } from '@recto/markdown/schema'
import { writeTarget, type TargetContext } from '../pages/write-target.ts'
import type { Batch } from './batch.ts'

/** Writes references of documents, also those that name a page or file of the batch by its `ref`. */
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

/** Where Markdown has a target: in parentheses, in an attribute, or in a definition. */
const target =
  /(?<before>\]\(|\b(?:src|href|url|srcset)=["']|^\[[^\]\n]+\]:[ \t]+)(?:ref:)?(?<name>[^\s()"'#]+)(?=[\s()"'#]|$)/gm

/** Markdown whose targets `NAME` or `ref:NAME` of a page or file of the batch are replaced by paths; all else stays. */
export function withBatchTargets(markdown: string, context: TargetContext, { refs }: Pick<Batch, 'refs'>): string {
  if (refs.size === 0) return markdown
  return markdown.replaceAll(target, (whole: string, ...rest: unknown[]) => {
    const { before, name } = rest.at(-1) as { before: string; name: string }
    const made = refs.get(name)
    if (!made) return whole
    const ref: DocumentRef = made.kind === 'page' ? { kind: 'page', page: made.id } : { kind: 'file', file: made.id }
    return `${before}${writeTarget(ref, context)}`
  })
}

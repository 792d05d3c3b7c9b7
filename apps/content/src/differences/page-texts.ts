import { hash } from 'node:crypto'
import type { Input } from '@recto/operation'
import type { differences } from '@recto/contracts-content'
import type { CountedDifference, JSONDocument } from '@recto/markdown'
import { emptyDocument } from '../documents/documents.ts'
import { createParseCache, orFallback, parseOnce } from '../documents/parse-once.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { readDereferenced } from '../reading/dereferenced.ts'
import { textOfPage } from '../reading/read-text.ts'
import type { ResolvedRevision } from '../reading/resolve-revision.ts'
import type { Context } from '../shared/context.ts'
import type { Sides } from './open-sides.ts'
import type { ComparedTrees } from './page-changes.rules.ts'

/** How texts are read that are compared. */
export type TextReading = Pick<
  Input<typeof differences.getRevisionPageDifference>['query'],
  'evaluated' | 'dereferenced'
>

/** A page of two trees, and how its text is read. */
export interface ComparedText {
  id: string
  sides: Sides
  trees: ComparedTrees
  reading: TextReading
}

/** Bytes of differences that are kept: of those of short pages, thousands. */
const cachedBytes = 32 * 1024 * 1024
/** Differences by the two texts as callers read them: who reads the same shares one, and nobody gets that of another. */
const cachedDifferences = createParseCache<CountedDifference>(cachedBytes)

/** Compares the texts of a page on both sides, in a thread of its own; a page without text has an empty one. */
export async function textDifference(
  { id, sides, trees, reading }: ComparedText,
  context: Context,
): Promise<CountedDifference> {
  const { before, after } = sides
  const old = before ? await textOnSide(before, { id, index: trees.before, reading }, context) : emptyDocument()
  const current = await textOnSide(after, { id, index: trees.after, reading }, context)
  const key = hash('sha256', JSON.stringify([old, current]))
  const length = ({ difference }: CountedDifference) => JSON.stringify(difference).length
  return parseOnce(cachedDifferences, { key, length }, () =>
    orFallback(context.markdown.run('difference', { before: old, after: current }), () =>
      wholeDifference(old, current),
    ),
  )
}

async function textOnSide(
  side: ResolvedRevision,
  { id, index, reading }: { id: string; index: PageIndex; reading: TextReading },
  context: Context,
): Promise<JSONDocument> {
  const record = index.get(id)
  if (record?.type !== 'document') return emptyDocument()
  return readDereferenced(textOfPage(await side.view.textOf(record), index), { ...reading, ...side }, context)
}

/** The difference of texts that take too long to compare: one in the place of the other. */
function wholeDifference(before: JSONDocument, after: JSONDocument): CountedDifference {
  const nodes = [
    { type: 'delete' as const, nodes: before.nodes },
    { type: 'insert' as const, nodes: after.nodes },
  ]
  return { difference: { nodes }, counts: { insertions: after.nodes.length, deletions: before.nodes.length } }
}

import { maxListedFiles, type differences } from '@recto/contracts-content'
import { byKey, pageInMemory } from '@recto/database'
import { Failure, type Output } from '@recto/operation'
import pMap from 'p-map'
import { diff, emptyRoot } from '../content-map/content-map.ts'
import { nodeStore } from '../content-store/content.repository.ts'
import { presentFileRef } from '../history/present-changes.ts'
import type { ResolvedRevision } from '../reading/resolve-revision.ts'
import type { FileRecord } from '../revisions/records.ts'
import type { Context } from '../shared/context.ts'
import { changedPage, changedPages, comparedTrees } from './changed-pages.ts'
import type { Sides } from './open-sides.ts'
import { unchangedPage, type ChangedPage, type ComparedTrees } from './page-changes.rules.ts'
import { textDifference, type TextReading } from './page-texts.ts'

type Listed = Output<typeof differences.listRevisionDifferences>
type PageDifference = Output<typeof differences.getRevisionPageDifference>

/** How texts are read of which only counts are told. */
const reading: TextReading = { evaluated: 'false', dereferenced: 'reusable-contents' }
/** Pages whose texts are compared at a time. */
const concurrency = 4

/** Lists the pages and files that differ, with counts for the pages of the answer. */
export async function listDifferences(
  sides: Sides,
  query: { page?: string | undefined; limit: number },
  context: Context,
): Promise<Listed> {
  const trees = await comparedTrees(sides)
  const changes = await changedPages(sides, trees, context)
  const { items, ...rest } = pageInMemory(
    changes.map((change, at) => ({ change, at })),
    ({ at }) => [sides.after.revision.id, String(at).padStart(8, '0')],
    { ...query, cursorKey: context.cursorKey() },
  )
  const pages = await pMap(
    items,
    async ({ change }) => {
      const { counts } = await textDifference({ id: change.id, sides, trees, reading }, context)
      return { ...presented(change), counts }
    },
    { concurrency },
  )
  return { ...rest, items: pages, ...comparedSides(sides), files: await changedFiles(sides, context) }
}

/** Reads what differs in a page; throws `not_found` for one that neither side has. */
export async function readPageDifference(
  sides: Sides,
  { pageId, evaluated, dereferenced }: { pageId: string } & TextReading,
  context: Context,
): Promise<PageDifference> {
  const trees = await comparedTrees(sides)
  const change = await changeOf(pageId, { sides, trees }, context)
  const { difference, counts } = await textDifference(
    { id: pageId, sides, trees, reading: { evaluated, dereferenced } },
    context,
  )
  return { ...presented(change), counts, ...comparedSides(sides), difference }
}

async function changeOf(
  id: string,
  { sides, trees }: { sides: Sides; trees: ComparedTrees },
  context: Context,
): Promise<ChangedPage> {
  const change = await changedPage(id, { sides, trees }, context)
  if (change) return change
  const record = trees.after.get(id)
  if (!record) throw new Failure('not_found', 'There is no such page')
  return unchangedPage(record, trees)
}

function presented({ id: _id, ...change }: ChangedPage) {
  return { object: 'page-difference' as const, ...change }
}

function comparedSides({ before, after }: Sides) {
  const side = ({ revision }: ResolvedRevision) => ({ space: revision.spaceId, revision: revision.id })
  return { ...(before && { before: side(before) }), after: side(after) }
}

/** The files that differ, as the caller sees them on each side. */
async function changedFiles({ before, after }: Sides, { db }: Context): Promise<Listed['files']> {
  const root = before?.revision.filesRoot ?? emptyRoot
  const stored = await diff<FileRecord>(nodeStore(db), root, after.revision.filesRoot)
  if (stored.length === 0) return []
  const oldFiles = await before?.view.files()
  const files = await after.view.files()
  const differences = stored.flatMap(({ id }) => {
    const old = oldFiles?.get(id)
    const current = files.get(id)
    const name = (current ?? old)?.name
    return name === undefined ? [] : [{ id, name, old, current }]
  })
  // Addresses are signed for those that are listed.
  const listed = differences.sort(byKey(({ name, id }) => [name, id])).slice(0, maxListedFiles)
  return listed.map(({ old, current }) => ({
    ...(old && before && { before: presentFileRef(old, before.presentation) }),
    ...(current && { after: presentFileRef(current, after.presentation) }),
  }))
}

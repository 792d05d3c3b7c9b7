import type { AudienceReference } from '@recto/audience'
import { createParseCache, parseOnce } from '../documents/parse-once.ts'
import type { Context } from '../shared/context.ts'
import { groupBy } from '../lists/group-by.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { mainChange, type MainChange } from '../projection/main-change.ts'
import { forEachRewritten } from '../projection/rewritten-texts.ts'
import { reresolve } from '../links/overlay.rules.ts'
import { type ResolvingContent, resolvingContent, rowsOf } from '../links/reference-rows.ts'
import { listEmbedded, listTargets, type TargetRow } from '../links/target-lists.repository.ts'

/** The references of a revision to files, reusable contents and specifications, by the id of the page or reusable content that has them. */
export type RevisionReferences = ReadonlyMap<string, readonly AudienceReference[]>

/** Size of the cache, in references. */
const cachedReferences = 200_000
/** Revisions never change, so the cache needs no invalidation. */
const cache = createParseCache<{ references: RevisionReferences }>(cachedReferences)

type Tools = Pick<Context, 'db' | 'markdown' | 'publicUrl'>

/** Reads the references of a revision: the stored ones of the projected revision, corrected by the differences to it. */
export async function revisionReferences(tools: Tools, revision: RevisionRow): Promise<RevisionReferences> {
  const length = ({ references }: { references: RevisionReferences }) =>
    [...references.values()].reduce((sum, own) => sum + own.length, 0)
  const { references } = await parseOnce(cache, { key: revision.id, length }, async () => {
    const rows = await readRows(tools, revision)
    const groups = groupBy(rows, ({ sourceId }) => sourceId)
    return { references: new Map([...groups].map(([id, own]) => [id, own.flatMap(audienceReferences)])) }
  })
  return references
}

async function readRows(tools: Tools, revision: RevisionRow): Promise<TargetRow[]> {
  const { db } = tools
  const embedded = await listEmbedded(db, revision.spaceId)
  if (embedded.revision === revision.id) return embedded.rows
  const projection = await listTargets(db, revision.spaceId)
  const from = projection.revision === null ? undefined : await revisions.find(db, projection.revision)
  const change = await mainChange(db, from, revision)
  const content = resolvingContent(change, tools.publicUrl)
  const rewritten = await readRewritten(tools, change, content)
  const unchanged = reresolve(from ? projection.rows : [], { hidden: rewritten.sources, content })
  return [...rewritten.rows, ...unchanged.map(({ after }) => after)]
}

interface RewrittenReferences {
  rows: TargetRow[]
  /** The pages and reusable contents whose stored references do not apply. */
  sources: Set<string>
}

async function readRewritten(
  tools: Tools,
  change: MainChange,
  content: ResolvingContent,
): Promise<RewrittenReferences> {
  const rewritten: RewrittenReferences = { rows: [], sources: new Set() }
  await forEachRewritten(tools, change, texts => {
    for (const { page } of texts.pages) rewritten.sources.add(page.id)
    for (const { reusable } of texts.reusable) rewritten.sources.add(reusable.id)
    rewritten.rows.push(...rowsOf(texts, { spaceId: change.spaceId, content }))
    return Promise.resolve()
  })
  return rewritten
}

/** Makes a reference of the audience for each place of a stored reference. */
function audienceReferences({ kind, target: reference, targetKind, targetId, visibleWhen }: TargetRow) {
  const target = targetOf({ kind, target: reference, targetKind, targetId })
  return target ? (visibleWhen ?? [[]]).map((conditions): AudienceReference => ({ target, conditions })) : []
}

function targetOf({
  kind,
  target,
  targetKind,
  targetId,
}: Pick<TargetRow, 'kind' | 'targetKind' | 'targetId'> & { target: string }): AudienceReference['target'] | undefined {
  if (targetKind === 'file' && targetId !== null) return { kind: 'file', id: targetId }
  if (targetKind === 'reusable-content' && targetId !== null) return { kind: 'reusable-content', id: targetId }
  return kind === 'openapi' ? { kind: 'specification', slug: target } : undefined
}

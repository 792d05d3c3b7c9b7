import { FileDraft } from '../pages/file-draft.ts'
import { filePath, reusableFile } from '../pages/repository-files.ts'
import type { FileRecord, ReusableRecord } from '../revisions/records.ts'
import type { Conflict, MergedContent, MergeInput, RecordChanges, RefusedResolution, Resolution } from './conflict.ts'
import { inOrder } from './conflict-order.ts'
import { Decisions, subjectKey } from './decisions.ts'
import { mergeFile, mergeReusable } from './merge-file.rules.ts'
import { mergePage } from './merge-page.rules.ts'
import type { LocatedRecord } from './merge-record.rules.ts'
import { mergeConfiguration, mergeVariables } from './merge-values.rules.ts'
import { MergedDocuments } from './merged-documents.ts'
import { MergedTree } from './merged-tree.ts'
import { placePages } from './place-pages.rules.ts'
import { pageFiles, separateFiles, separateSlugs, type PathOwners } from './separate-paths.rules.ts'
import { isSame, mapSides, mergedSide, sidesById, type Sides } from './three-way.ts'

/** The hashes of the texts that are merged by line: those that both sides changed differently. */
export function textsToMerge({ pages, reusable }: Pick<MergeInput, 'pages' | 'reusable'>): Sides<string>[] {
  const all: Sides<{ document?: string }>[] = [...sidesById(pages).values(), ...sidesById(reusable).values()]
  return all
    .filter(({ main, changeRequest }) => main && changeRequest)
    .map(sides => mapSides(sides, ({ document }) => document))
    .filter(documents => mergedSide(documents) === undefined)
}

/** Each of these hashes once. */
export function documentsToMerge(texts: readonly Sides<string>[]): string[] {
  return [...new Set(texts.flatMap(({ base, main, changeRequest }) => [base, main, changeRequest]))].filter(
    hash => hash !== undefined,
  )
}

/**
 * Merges a change request into main content. What one side changed is taken, what both changed differently is a conflict, which resolutions
 * settle. It costs what the differences cost, not the content.
 *
 * Conflicts of structure depend on how other conflicts are settled. So the open ones are those of two merges: one that takes main content
 * in each, and one that takes the change request.
 */
export function mergeContent(input: MergeInput): MergedContent {
  const resolutions = input.resolutions ?? []
  const decisions = new Decisions(resolutions, input.others ?? 'main', { settlesAll: input.others !== undefined })
  const merged = mergeWith(decisions, input)
  const all = [decisions]
  if (decisions.open.size > 0) {
    const others = new Decisions(resolutions, 'changeRequest')
    mergeWith(others, input)
    all.push(others)
  }
  const open = new Map<string, Conflict>(all.toReversed().flatMap(({ open: conflicts }) => [...conflicts]))
  return { ...merged, conflicts: inOrder([...open.values()], input), refused: refusedOf(input, all) }
}

/** A resolution may settle a conflict that another one settles too, or that comes only from taking the other side elsewhere. */
function refusedOf(input: MergeInput, all: Decisions[]): RefusedResolution[] {
  const { resolutions = [] } = input
  const faults = all.flatMap(({ refused }) => refused)
  const unused = resolutions.filter(resolution => !all.some(({ used }) => used.has(resolution)))
  const listed = unused.length === 0 ? [] : mergeContent({ ...input, resolutions: [], others: undefined }).conflicts
  const isListed = (resolution: Resolution) =>
    listed.some(
      conflict =>
        subjectKey(conflict) === subjectKey(resolution) &&
        ('take' in resolution || conflict.kind === 'text' || conflict.kind === 'deleted'),
    )
  return resolutions.flatMap((resolution): RefusedResolution[] => {
    const fault = faults.find(refused => refused.resolution === resolution)
    if (fault) return [fault]
    if (isRepeated(resolution, resolutions)) return [{ resolution, reason: 'is given twice' }]
    return unused.includes(resolution) && !isListed(resolution) ? [{ resolution, reason: 'settles no conflict' }] : []
  })
}

function isRepeated(resolution: Resolution, all: readonly Resolution[]): boolean {
  const isLike = (other: Resolution) =>
    'take' in other === 'take' in resolution && subjectKey(other) === subjectKey(resolution)
  return all.find(isLike) !== resolution
}

function mergeWith(decisions: Decisions, input: MergeInput): Omit<MergedContent, 'conflicts' | 'refused'> {
  const documents = new MergedDocuments(input.documents, input.mergedTexts)
  const files = mergeFiles(input, decisions)
  const reusable = mergeReusables(input, { decisions, documents })
  const tree = mergePages(input, { decisions, documents, files: draftOf(files, input) })
  const { reparented } = placePages(tree)
  separateSlugs(tree, reparented)
  separateFiles([pageFiles(tree), files.things, reusable.things] as PathOwners<LocatedRecord>[], decisions)
  const pages = tree.changes()
  const changes = {
    pages,
    files: changesOf(files.things.sides, files.things.get),
    reusable: changesOf(reusable.things.sides, reusable.things.get),
  }
  const written = [...pages.values(), ...changes.reusable.values()].map(record => record?.document)
  return {
    changes,
    variables: mergeVariables(input.variables, decisions),
    configuration: mergeConfiguration(input.configuration, decisions),
    documents: documents.among(written),
  }
}

function mergePages(input: MergeInput, merge: Omit<Parameters<typeof mergePage>[2], 'movedSide'>): MergedTree {
  const { decisions } = merge
  const sides = sidesById(input.pages)
  const tree = new MergedTree(input.pages, { sides, decisions })
  for (const [id, page] of sides) {
    const { record, isDecided } = mergePage(id, page, { ...merge, movedSide: moved => tree.decideMove(moved) })
    tree.set(id, record)
    if (!isDecided) continue
    if (record) tree.forced.set(id, page.main ? 'main' : 'changeRequest')
    else tree.dropped.add(id)
  }
  return tree
}

interface MergedRecords<Row> {
  records: Map<string, Row | undefined>
  things: PathOwners<Row & LocatedRecord>
}

function mergeFiles({ files }: MergeInput, decisions: Decisions): MergedRecords<FileRecord> {
  const sides = sidesById(files)
  const records = new Map(Array.from(sides, ([id, file]) => [id, mergeFile(id, file, decisions)]))
  const subject = (file: string) => ({ file })
  return {
    records,
    things: thingsOf<FileRecord>(records, { sides, subject, path: filePath, main: () => files.main.inOrder }),
  }
}

function mergeReusables(
  { reusable }: MergeInput,
  merge: { decisions: Decisions; documents: MergedDocuments },
): MergedRecords<ReusableRecord> {
  const sides = sidesById(reusable)
  const records = new Map(Array.from(sides, ([id, record]) => [id, mergeReusable(id, record, merge)]))
  const subject = (reusableContent: string) => ({ reusableContent })
  return {
    records,
    things: thingsOf<ReusableRecord>(records, { sides, subject, path: reusableFile, main: () => reusable.main }),
  }
}

function thingsOf<Row extends LocatedRecord>(
  records: Map<string, Row | undefined>,
  kind: Omit<PathOwners<Row>, 'get' | 'set'>,
): PathOwners<Row> {
  return { ...kind, get: id => records.get(id), set: (id, record) => void records.set(id, record) }
}

function draftOf({ records }: MergedRecords<FileRecord>, { files }: MergeInput): FileDraft {
  const draft = new FileDraft(files.main)
  for (const [id, record] of records) {
    if (record) draft.set(record)
    else draft.delete(id)
  }
  return draft
}

/** The records that differ from main content. */
function changesOf<Row>(
  sides: ReadonlyMap<string, Sides<Row>>,
  get: (id: string) => Row | undefined,
): RecordChanges<Row> {
  const merged = Array.from(sides, ([id, { main }]) => ({ id, main, record: get(id) }))
  return new Map(merged.filter(({ main, record }) => !isSame(main, record)).map(({ id, record }) => [id, record]))
}

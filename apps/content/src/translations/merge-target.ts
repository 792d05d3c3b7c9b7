import type { Db } from '@recto/database'
import { type MarkdownPool, orFallback } from '../documents/parse-once.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import { canonicalJson, diff, getMany } from '../content-map/content-map.ts'
import { documentsByHash, nodeStore } from '../content-store/content.repository.ts'
import { newDocument, type NewDocument } from '../content-store/new-document.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { mergedRecord, mergeTokens, mergedValue } from './merge-edits.rules.ts'
import type { MachineContent } from './machine-content.ts'
import { shortenText } from './texts.rules.ts'
import type { TranslationNote } from './translation-run.entity.ts'

/** The changes of a run to the target, which people may have edited since the last one. */
export interface MergedContent {
  pages: Map<string, PageRecord | undefined>
  files: Map<string, FileRecord | undefined>
  reusable: Map<string, ReusableRecord | undefined>
  variables: RevisionRow['variables']
  configuration: RevisionRow['configuration']
  documents: NewDocument[]
  kept: TranslationNote[]
}

/** The input of merging the target. */
export interface MergeRequest {
  /** The revision that the last run wrote, and the target as it is. */
  base: RevisionRow
  target: RevisionRow
  source: RevisionRow
  machine: MachineContent
}

interface Tools {
  db: Db
  markdown: MarkdownPool
}

const editedMessage = 'It was edited in the target, and stays'
const deletedMessage = 'Its source is deleted; it was edited in the target, and stays'

/** Merges the result of a run into the target, where edits, additions and deletions of people stay. */
export async function mergeIntoTarget(tools: Tools, request: MergeRequest): Promise<MergedContent> {
  const { base, target, source } = request
  const merged: MergedContent = {
    pages: new Map(),
    files: new Map(),
    reusable: new Map(),
    documents: [],
    kept: [],
    variables: mergedValue({ base: base.variables, edited: target.variables, machine: source.variables }),
    configuration: mergedValue({
      base: base.configuration,
      edited: target.configuration,
      machine: source.configuration,
    }),
  }
  await mergePages(tools, request, merged)
  await mergeReusable(tools, request, merged)
  const store = nodeStore(tools.db)
  const files = await diff<FileRecord>(store, base.filesRoot, source.filesRoot)
  const ids = files.map(({ id }) => id)
  const present = await getMany<FileRecord>(store, target.filesRoot, ids)
  for (const { id, before, after } of files)
    merged.files.set(id, mergedValue({ base: before, edited: present.get(id), machine: after }))
  return merged
}

async function mergePages(tools: Tools, { base, target, machine }: MergeRequest, merged: MergedContent): Promise<void> {
  const before = await loadPageIndex(tools.db, base)
  const now = await loadPageIndex(tools.db, target)
  for (const [id, machineRecord] of machine.pages) {
    const old = before.get(id)
    const edited = now.get(id)
    if (!edited) {
      // Pages that people deleted in the target stay deleted.
      if (!old && machineRecord) merged.pages.set(id, machineRecord)
      continue
    }
    const isOwn = now.childrenOf(id).some(child => !before.get(child.id))
    if (!machineRecord) {
      if (!isOwn && old && isSame(old, edited)) merged.pages.set(id, undefined)
      else merged.kept.push({ page: id, title: edited.title, text: shortenText(edited.title), message: deletedMessage })
      continue
    }
    if (!old) continue
    const record = mergedRecord({ base: old, edited, machine: machineRecord }, ['document'])
    const { document, kept } = await mergeDocument(tools, { base: old, edited, machine: machineRecord }, merged)
    const { document: _edited, ...rest } = record
    merged.pages.set(id, { ...rest, ...(document !== undefined && { document }) })
    const note = { page: id, title: record.title, message: editedMessage }
    const fields = (['title', 'linkTitle', 'description'] as const).flatMap(name =>
      edited[name] === old[name] ? [] : (edited[name] ?? []),
    )
    merged.kept.push(...[...fields, ...kept].map(text => ({ ...note, text: shortenText(text) })))
  }
}

async function mergeReusable(
  tools: Tools,
  { base, target, machine }: MergeRequest,
  merged: MergedContent,
): Promise<void> {
  const store = nodeStore(tools.db)
  const before = await getMany<ReusableRecord>(store, base.reusableRoot, machine.reusable.keys())
  const now = await getMany<ReusableRecord>(store, target.reusableRoot, machine.reusable.keys())
  for (const [id, machineRecord] of machine.reusable) {
    const old = before.get(id)
    const edited = now.get(id)
    if (!edited || !old || !machineRecord) {
      merged.reusable.set(id, mergedValue({ base: old, edited, machine: machineRecord }))
      continue
    }
    const { document, kept } = await mergeDocument(tools, { base: old, edited, machine: machineRecord }, merged)
    const record = mergedRecord({ base: old, edited, machine: machineRecord }, ['document'])
    merged.reusable.set(id, { ...record, document: document ?? machineRecord.document })
    merged.kept.push(...kept.map(text => ({ title: record.title, text: shortenText(text), message: editedMessage })))
  }
}

function isSame(a: PageRecord, b: PageRecord): boolean {
  return canonicalJson({ ...a, updatedAt: '' }) === canonicalJson({ ...b, updatedAt: '' })
}

type WithDocument = { document?: string }

async function mergeDocument(
  { db, markdown }: Tools,
  versions: Record<'base' | 'edited' | 'machine', WithDocument>,
  merged: MergedContent,
): Promise<{ document: string | undefined; kept: string[] }> {
  const base = versions.base.document
  const edited = versions.edited.document
  const machine = versions.machine.document
  if (edited === base || edited === machine) return { document: machine, kept: [] }
  if (base === undefined || edited === undefined || machine === undefined) return { document: edited, kept: [] }
  const bytesByHash = await documentsByHash(db, [base, edited, machine])
  const texts = [base, edited, machine].map(hash => bytesByHash.get(hash)?.toString() ?? '')
  const lines = () => texts.map(text => text.split(/(\n)/))
  const [old = [], own = [], machineTokens = []] = await orFallback(markdown.run('tokens', { markdown: texts }), lines)
  const { tokens, kept } = mergeTokens({ base: old, edited: own, machine: machineTokens })
  const document = newDocument(tokens.join(''))
  merged.documents.push(document)
  return { document: document.hash, kept }
}

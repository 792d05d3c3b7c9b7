import type { Db } from '@recto/database'
import type { RunTransaction } from '@recto/service'
import pMap from 'p-map'
import type { MarkdownPool } from '../documents/parse-once.ts'
import { pageFile, reusableFile } from '../pages/repository-files.ts'
import { requestConcurrency } from '../lists/request-concurrency.ts'
import { documentsByHash, insertDocuments } from '../content-store/content.repository.ts'
import { newDocument, type NewDocument } from '../content-store/new-document.ts'
import { markGarbage } from '../garbage/garbage.repository.ts'
import type { PageRecord, ReusableRecord } from '../revisions/records.ts'
import { readTexts, textsToSend, type TranslatedTexts, withTexts } from './page-texts.ts'
import type { Planned } from './run-plan.ts'
import type { TextTranslator } from './text-translator.ts'
import type { TranslationNote } from './translation-run.entity.ts'

/** Pages whose texts are in memory at once. */
const sliceLength = 20

/** The source in the other language, by id, and the texts that could not be translated. */
export interface MachineContent {
  pages: Map<string, PageRecord | undefined>
  reusable: Map<string, ReusableRecord | undefined>
  failures: TranslationNote[]
  unfinished: string[]
}

/** The tools for translating content. */
export interface ContentTools {
  db: Db
  transaction: RunTransaction
  markdown: MarkdownPool
  translator: TextTranslator
  /** Reports the number of finished records; throws when another process has taken over the run. */
  report(done: number): Promise<void>
}

/** Translates planned records in slices. Documents are stored as they are made, as garbage until a revision references them. */
export async function translateContent(tools: ContentTools, planned: readonly Planned[]): Promise<MachineContent> {
  const content: MachineContent = { pages: new Map(), reusable: new Map(), failures: [], unfinished: [] }
  for (let at = 0; at < planned.length; at += sliceLength) {
    const slice = planned.slice(at, at + sliceLength)
    await tools.report(at)
    await translateSlice(tools, slice, content)
  }
  await tools.report(planned.length)
  return content
}

async function translateSlice(tools: ContentTools, slice: readonly Planned[], content: MachineContent): Promise<void> {
  const { db, markdown, translator } = tools
  const hashes = slice.flatMap(({ record }) => record?.document ?? [])
  const bytesByHash = await documentsByHash(db, hashes)
  const pageTexts = await pMap(
    slice,
    ({ record }) => {
      const { title = '', document = '' } = record ?? {}
      const { description, linkTitle } = (record ?? {}) as Partial<PageRecord>
      return readTexts(markdown, { title, linkTitle, description, bytes: bytesByHash.get(document) })
    },
    requestConcurrency,
  )
  const textsToTranslate = pageTexts.flatMap((texts, at) => (slice[at]?.record ? textsToSend(texts) : []))
  const translations = await translator.translate(textsToTranslate)
  const translated = await pMap(
    pageTexts,
    texts => withTexts(markdown, texts, { translations, translator }),
    requestConcurrency,
  )
  const documents = new Map<string, NewDocument>()
  for (const [at, one] of slice.entries()) {
    const texts = translated[at]
    if (texts) addRecord(content, one, { texts, documents })
  }
  await storeDocuments(tools, [...documents.values()])
}

function addRecord(
  content: MachineContent,
  one: Planned,
  { texts, documents }: { texts: TranslatedTexts; documents: Map<string, NewDocument> },
): void {
  const { id, kind, record } = one
  if (!record) return void (kind === 'page' ? content.pages : content.reusable).set(id, undefined)
  const document = texts.markdown === undefined ? undefined : newDocument(texts.markdown)
  if (document) documents.set(document.hash, document)
  const text = document && { document: document.hash }
  if (one.kind === 'page' && one.record) content.pages.set(id, machinePage(one.record, texts, text))
  if (one.kind === 'reusable' && one.record) {
    const { git: _git, ...rest } = one.record
    content.reusable.set(id, { ...rest, ...text, file: reusableFile(one.record) })
  }
  const place = { ...(kind === 'page' && { page: id }), title: texts.title }
  content.failures.push(...texts.faults.map(fault => ({ ...place, ...fault })))
  if (texts.faults.length > 0) content.unfinished.push(id)
}

/** The page of the target: with its place, id and slug, the path of its file, which links name, and translated texts. */
function machinePage(
  record: PageRecord,
  { title, linkTitle, description }: TranslatedTexts,
  text: { document: string } | undefined,
): PageRecord {
  const { git: _git, ...rest } = record
  const file = pageFile(record)
  return {
    ...rest,
    title,
    ...(linkTitle !== undefined && { linkTitle }),
    ...(description !== undefined && { description }),
    ...(file !== undefined && { file }),
    ...text,
  }
}

async function storeDocuments({ transaction }: ContentTools, documents: NewDocument[]): Promise<void> {
  if (documents.length === 0) return
  await transaction(async tx => {
    await insertDocuments(tx, documents)
    const marks = documents.map(({ hash }) => ({ kind: 'document' as const, hash }))
    await markGarbage(tx, marks, new Date())
  })
}

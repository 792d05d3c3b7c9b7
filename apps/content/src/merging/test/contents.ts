import { FileDraft } from '../../pages/file-draft.ts'
import { coverOf } from '../../pages/page-cover.ts'
import { pageText, withSettings } from '../../pages/page-text.ts'
import { indexPages, type PageIndex } from '../../pages/page-tree.ts'
import { filePath } from '../../pages/repository-files.ts'
import { canonicalJson, type Difference } from '../../content-map/content-map.ts'
import { newDocument } from '../../content-store/new-document.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../revisions/records.ts'
import type { RepositoryConfiguration } from '../../revisions/revision.entity.ts'
import type { MergeInput, MergedContent, Resolution, Variables } from '../conflict.ts'
import { documentsToMerge, mergeContent, textsToMerge } from '../merge.rules.ts'
import type { Side } from '../three-way.ts'

/** All content of a revision, with its texts by hash. */
export interface Content {
  pages: Map<string, PageRecord>
  files: Map<string, FileRecord>
  reusable: Map<string, ReusableRecord>
  variables: Variables
  configuration: RepositoryConfiguration | null
}

export const time = '2026-01-01T00:00:00.000Z'
/** The texts of all contents of a test, by hash. */
export const texts = new Map<string, string>()

/** The hash of a text, which contents then may have. */
export function hashOf(text: string): string {
  const { hash } = newDocument(text)
  texts.set(hash, text)
  return hash
}

/** A document page, whose settings follow from its text. */
export function page(id: string, { text, ...more }: Partial<PageRecord> & { text?: string } = {}): PageRecord {
  const record: PageRecord = {
    id,
    type: 'document',
    title: `Title ${id}`,
    parent: null,
    order: `a${id}`,
    slug: id,
    createdAt: time,
    updatedAt: time,
    ...more,
  }
  if (text === undefined) return record
  const { git, file: path = `${id}.md`, ...rest } = record
  const { file: _file, ...recordWithText } = withText({ ...rest, file: path }, text)
  return git ? { ...recordWithText, git } : { ...recordWithText, file: path }
}

/** The page with another text, as an edit writes it. */
export function withText({ git, ...record }: PageRecord, text: string): PageRecord {
  const read = pageText(undefined, { markdown: text, settings: {} })
  const file = git?.path ?? record.file
  const { cover: _cover, ...recordWithSettings } = withSettings({ ...record, document: hashOf(text) }, read)
  const located = { ...recordWithSettings, ...(file !== undefined && { file }) }
  const cover = coverOf(read.cover, located, { files: new FileDraft({ inOrder: [], get: () => undefined }) })
  return cover ? { ...located, cover } : located
}

export function file(id: string, more: Partial<FileRecord> = {}): FileRecord {
  return { id, name: `${id}.png`, hash: `hash-${id}`, size: 1, contentType: 'image/png', ...more }
}

export function reusable(id: string, text: string, more: Partial<ReusableRecord> = {}): ReusableRecord {
  return { id, title: `Reusable ${id}`, document: hashOf(text), ...more }
}

interface Parts {
  pages?: PageRecord[]
  files?: FileRecord[]
  reusable?: ReusableRecord[]
  variables?: Variables
  configuration?: RepositoryConfiguration | null
}

export function contentOf(parts: Parts): Content {
  const byId = <Row extends { id: string }>(rows: Row[] = []) => new Map(rows.map(row => [row.id, row]))
  return {
    pages: byId(parts.pages),
    files: byId(parts.files),
    reusable: byId(parts.reusable),
    variables: parts.variables ?? {},
    configuration: parts.configuration ?? null,
  }
}

function differencesOf<Row>(before: Map<string, Row>, after: Map<string, Row>): Difference<Row>[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap(id => {
    const a = before.get(id)
    const b = after.get(id)
    if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) return []
    return [{ id, ...(a && { before: a }), ...(b && { after: b }) }]
  })
}

export const treeOf = (content: Content): PageIndex => indexPages(content.pages.values())

export interface ThreeContents {
  base: Content
  main: Content
  changeRequest: Content
}

export function inputOf({ base, main, changeRequest }: ThreeContents, resolutions: Resolution[] = []): MergeInput {
  const differences = <Row>(rows: (content: Content) => Map<string, Row>) => ({
    onMain: differencesOf(rows(base), rows(main)),
    onChangeRequest: differencesOf(rows(base), rows(changeRequest)),
  })
  const pages = differences(({ pages: all }) => all)
  const records = differences(({ reusable: all }) => all)
  const inOrder = [...main.files.values()].sort((a, b) => (filePath(a) < filePath(b) ? -1 : 1))
  const trees = { base: treeOf(base), main: treeOf(main), changeRequest: treeOf(changeRequest) }
  const files = { ...differences(({ files: all }) => all), main: { inOrder, get: (id: string) => main.files.get(id) } }
  const input = { pages: { ...pages, ...trees }, files, reusable: { ...records, main: [...main.reusable.values()] } }
  const documents = new Map(documentsToMerge(textsToMerge(input)).map(hash => [hash, texts.get(hash) ?? '']))
  return {
    ...input,
    variables: { base: base.variables, main: main.variables, changeRequest: changeRequest.variables },
    configuration: { base: base.configuration, main: main.configuration, changeRequest: changeRequest.configuration },
    documents,
    resolutions,
  }
}

/** The result of a merge, and the whole content with it. */
export function mergeContents(
  contents: ThreeContents,
  resolutions: Resolution[] = [],
  others?: Side,
): MergedContent & { content: Content } {
  const result = mergeContent({ ...inputOf(contents, resolutions), others })
  for (const { hash, bytes } of result.documents) texts.set(hash, bytes.toString())
  const { main } = contents
  const { pages, files, reusable: records } = result.changes
  const { variables, configuration } = result
  const content = {
    pages: applyChanges(main.pages, pages),
    files: applyChanges(main.files, files),
    reusable: applyChanges(main.reusable, records),
    variables,
    configuration,
  }
  return { ...result, content }
}

function applyChanges<Row>(before: Map<string, Row>, changes: Map<string, Row | undefined>): Map<string, Row> {
  const after = new Map(before)
  for (const [id, record] of changes) {
    if (record) after.set(id, record)
    else after.delete(id)
  }
  return after
}

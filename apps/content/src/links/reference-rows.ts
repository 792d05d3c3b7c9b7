import type { MainChange } from '../projection/main-change.ts'
import type { RewrittenTexts } from '../projection/rewritten-texts.ts'
import { contentLookup, type ContentLookup, fileOf } from '../pages/content-lookup.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { reusableFile } from '../pages/repository-files.ts'
import type { FileIndex } from '../pages/revision-index.ts'
import type { ReusableRecord } from '../revisions/records.ts'
import type { ContentAnchorsRow } from './content-anchors.entity.ts'
import type { ContentReferenceRow } from './content-reference.entity.ts'
import {
  type ReferenceSource,
  referencesOf,
  referencesOfText,
  resolveReference,
  type WrittenReference,
} from './references.rules.ts'

/** The content that references are resolved against. */
export interface ResolvingContent {
  pages: PageIndex
  files: FileIndex
  reusable: ReusableRecord[]
  lookup: ContentLookup
}

/** The content after a change. */
export function resolvingContent(
  { spaceId, after: pages, files, reusable, revision, specs }: MainChange,
  publicUrl: string,
): ResolvingContent {
  const root = revision.configuration?.root ?? ''
  const lookup = contentLookup({ pages, files, reusable, root }, { spaceId, publicUrl })
  return { pages, files, reusable, lookup: { ...lookup, hasSpec: slug => specs.has(slug) } }
}

/** The references of rewritten pages and reusable contents; references with an anchor count as broken until anchors are checked. */
export function rowsOf(
  { pages, reusable }: RewrittenTexts,
  { spaceId, content }: { spaceId: string; content: ResolvingContent },
): ContentReferenceRow[] {
  const rows = (source: ReferenceSource, references: WrittenReference[]): ContentReferenceRow[] =>
    references.map((reference, position) => ({
      spaceId,
      sourceKind: source.kind,
      sourceId: source.id,
      position,
      ...reference,
      ...resolveReference({ ...reference, source }, { content: content.lookup, files: content.files }),
    }))
  return [
    ...pages.flatMap(({ page, outline }) => {
      const source = { kind: 'page' as const, id: page.id, file: fileOf(page, content.pages) }
      return rows(source, referencesOf(page, outline))
    }),
    ...reusable.flatMap(({ reusable: record, outline }) => {
      const source = { kind: 'reusable-content' as const, id: record.id, file: reusableFile(record) }
      return rows(source, referencesOfText(outline))
    }),
  ]
}

/** The anchors of rewritten pages and reusable contents. */
export function anchorsOf(spaceId: string, { pages, reusable }: RewrittenTexts): ContentAnchorsRow[] {
  const ofPages = pages.map(({ page, outline }) => ({ spaceId, sourceId: page.id, anchors: outline?.anchors ?? [] }))
  const ofReusable = reusable.map(({ reusable: { id }, outline }) => {
    return { spaceId, sourceId: id, anchors: outline.anchors }
  })
  return [...ofPages, ...ofReusable]
}

/** Returns a function that finds the page or reusable content that has a reference; undefined when the content does not have it. */
export function sourcesOf({ pages, reusable }: Pick<ResolvingContent, 'pages' | 'reusable'>) {
  const byId = new Map(reusable.map(record => [record.id, record]))
  return ({
    sourceKind: kind,
    sourceId: id,
  }: Pick<ContentReferenceRow, 'sourceKind' | 'sourceId'>): ReferenceSource | undefined => {
    if (kind === 'page') {
      const page = pages.get(id)
      return page && { kind, id, file: fileOf(page, pages) }
    }
    const record = byId.get(id)
    return record && { kind, id, file: reusableFile(record) }
  }
}

import { type JSONDocument, withIncluded, withoutComments, withTagLabels } from '@recto/markdown'
import type { BookSource, PageContent } from '@recto/pdf'
import { toFailure } from '@recto/operation'
import * as specifications from '../computed-pages/specifications.repository.ts'
import { readDocument, textOfPage, textOfReusable, type WrittenText } from '../reading/read-text.ts'
import { labelsOfPage, tagLabels } from '../pages/page-tags.rules.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { loadFileIndex, loadReusableContents } from '../pages/revision-index.ts'
import type { SpecOutline } from '../computed-pages/computed-text.rules.ts'
import type { Context } from '../shared/context.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import { refsOf, targetsOf } from './targets.ts'

/** Levels of reusable contents that include others; a cycle of them ends here. */
const maxDepth = 4
/** Included texts of one page, since contents that include each other many times grow exponentially. */
const maxIncluded = 300

/** The tools for reading the texts of a PDF. */
export type SourceTools = Pick<Context, 'db' | 'blobs' | 'markdown' | 'publicUrl' | 'actor' | 'publishing'>

/** The content that becomes a PDF. */
export interface PrintedContent {
  organization: string
  revision: RevisionRow
  pages: PageIndex
  maxImageBytes: number
}

/** The texts and files of a revision, one at a time: as authors read them, with variables in their places and included contents in theirs. */
export function bookSource(content: PrintedContent, tools: SourceTools): BookSource {
  const { revision, pages, maxImageBytes } = content
  const labels = tagLabels(revision.configuration?.tags)
  return {
    async page(id): Promise<PageContent> {
      const record = pages.get(id)
      if (!record) throw new Error('A page of the PDF is not in its revision')
      const ownText = await readIncluded(textOfPage(record, pages), { revision, tools })
      const document = withTagLabels(ownText, labels)
      const { description, condition } = record
      const tags = labelsOfPage(record, labels)
      return {
        document,
        targets: await lookUp(document, { page: id, content, tools }),
        ...(description !== undefined && { description }),
        ...(tags.length > 0 && { tags }),
        ...(condition !== undefined && { condition }),
      }
    },
    async file(id) {
      const file = (await loadFileIndex(tools.db, revision.filesRoot)).get(id)
      if (!file) return undefined
      try {
        return await tools.blobs.bytes(file.hash, { maxBytes: maxImageBytes })
      } catch (error) {
        const { code } = toFailure(error)
        if (code === 'not_found' || code === 'too_large') return undefined
        throw error
      }
    },
  }
}

interface Reading {
  revision: RevisionRow
  tools: SourceTools
}

async function readIncluded(text: WrittenText, { revision, tools }: Reading): Promise<JSONDocument> {
  let included = 0
  const read = async (source: WrittenText, depth: number): Promise<JSONDocument> => {
    const document = await readDocument(source, { evaluated: 'deterministic-only', revision }, tools)
    return withIncluded(withoutComments(document), async id => {
      const reusable = await loadReusableContents(tools.db, revision.reusableRoot)
      const record = reusable.find(record => record.id === id)
      if (!record) return undefined
      return depth < maxDepth && included++ < maxIncluded ? (await read(textOfReusable(record), depth + 1)).nodes : []
    })
  }
  return read(text, 0)
}

interface LookUp {
  page: string
  content: PrintedContent
  tools: SourceTools
}

async function lookUp(document: JSONDocument, { page, content, tools }: LookUp): Promise<PageContent['targets']> {
  const { organization, pages, revision } = content
  const specs = refsOf(document).flatMap(({ spec }) => (typeof spec === 'string' ? [spec] : []))
  return targetsOf(document, {
    page,
    pages,
    publicUrl: tools.publicUrl,
    spaceId: revision.spaceId,
    files: await loadFileIndex(tools.db, revision.filesRoot),
    outlines: await outlinesOf([...new Set(specs)], organization, tools),
  })
}

async function outlinesOf(
  slugs: string[],
  organization: string,
  { db }: SourceTools,
): Promise<Map<string, SpecOutline>> {
  const rows = await specifications.findAll(db, organization, slugs)
  return new Map(rows.map(({ slug, outline }) => [slug, outline]))
}

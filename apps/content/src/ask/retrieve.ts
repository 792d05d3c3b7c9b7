import { splitPage } from '@recto/markdown'
import type { SearchSpace } from '@recto/contracts-shared'
import type { z } from 'zod'
import { pageReaders } from '../reading/revision-readers.ts'
import { mainContent } from '../reading/resolve-revision.ts'
import type { Context } from '../shared/context.ts'
import { pickSections } from './sections.rules.ts'

/** A page that was found for a question, with the texts of its sections. */
export interface Retrieval {
  page: string
  title: string
  space: string
  /** The revision whose text was read. */
  revision: string
  sections: { id: string; title: string; text: string }[]
}

/** Pages that a question is answered from. */
const maxPages = 8
/** Characters of one section, and of all. */
const maxSection = 4_000
const maxText = 24_000

const request = { format: 'markdown', evaluated: 'true', dereferenced: 'reusable-contents' } as const

/**
 * Reads the sections of the best pages of a search as Markdown. Each page is read as `getPageById` reads it for the same caller, so that a
 * search whose index is late shows nothing that they may not read now.
 */
export async function readHits(context: Context, spaces: z.input<typeof SearchSpace>[]): Promise<Retrieval[]> {
  const hits = spaces
    .flatMap(({ id: space, pages }) => pages.map(page => ({ space, page })))
    .toSorted((a, b) => (a.page.rank ?? 1) - (b.page.rank ?? 1))
    .slice(0, maxPages)
  const retrievals: Retrieval[] = []
  let rest = maxText
  for (const hit of hits) {
    if (rest <= 0) break
    const retrieval = await readHit(context, hit, Math.min(rest, maxSection))
    if (!retrieval) continue
    retrievals.push(retrieval)
    rest -= retrieval.sections.reduce((sum, { text }) => sum + text.length, 0)
  }
  return retrievals
}

type Hit = { space: string; page: z.input<typeof SearchSpace>['pages'][number] }

async function readHit(context: Context, { space, page }: Hit, maxLength: number): Promise<Retrieval | undefined> {
  const reading = { ...context, setETag: () => undefined }
  const source = await mainContent({ spaceId: space, metadata: 'false' }, reading)
  const record = (await source.view.pages()).get(page.id)
  if (record?.type !== 'document') return undefined
  const presentation = await pageReaders.page(source, { params: { pageId: page.id }, query: request }, reading)
  const markdown = 'markdown' in presentation ? (presentation.markdown ?? '') : ''
  const { title } = record
  const sections = page.sections.map(({ id, title, body }) => ({ id, title, body }))
  const { bodyOffset } = splitPage(markdown)
  const texts = pickSections(markdown.slice(bodyOffset), { id: page.id, title, sections }, maxLength)
  if (texts.length === 0) return undefined
  return { page: page.id, title, space, revision: source.revision.id, sections: texts }
}

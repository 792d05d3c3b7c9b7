import type { MarkdownTasks } from '@recto/markdown'
import type { WorkerPool } from '@recto/worker-pool'
import { preparePages, type IndexedPage, type PreparedPage } from '@recto/text'
import type { SpaceContent } from './space-content.ts'

/** The pages of a space that searches find: those that everybody sees, without parts that depend on the reader. */
export async function indexPages(
  space: SpaceContent,
  threads: Pick<WorkerPool<Pick<MarkdownTasks, 'outlines'>>, 'run'>,
): Promise<PreparedPage[]> {
  const pages: Omit<IndexedPage, 'sections'>[] = []
  const markdown: string[] = []
  for (const [page, { id, path }] of space.placeOf) {
    if (page.type !== 'document' || !space.isVisible(page) || page.noIndex === true || page.hidden === true) continue
    pages.push({ id, title: page.title, description: page.description ?? '', path })
    markdown.push(space.repository.texts.get(page.git?.path ?? '') ?? '')
  }
  const outlines = await threads.run('outlines', { markdown })
  const indexedPages = pages.map((page, at) => {
    const outline = outlines[at]
    // Sections of a page with conditions may have text that not everybody sees.
    const sections = outline && outline.parts === undefined ? outline.sections : []
    return { ...page, sections: sections.map(({ title, anchor, text }) => ({ title, anchor, text })) }
  })
  return preparePages(indexedPages)
}

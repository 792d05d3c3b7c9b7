import type { ConvertedPage, ConvertedSet } from '@recto/convert'
import { slugOfTitle, slugSet } from '@recto/repository-format'
import {
  type OutlinePage,
  operationsText,
  overviewText,
  type SpecOutline,
} from '../computed-pages/computed-text.rules.ts'

/**
 * Makes the pages of an imported specification: an overview, and below it a page for each page of its outline, nested as the outline
 * says. They do not follow changes of the specification; their blocks of operations name its URL.
 */
export function specificationPages(outline: SpecOutline, src: string): ConvertedSet {
  const below = pagesBelow(undefined, 'api', { outline, src })
  const overview: ConvertedPage = {
    type: 'document',
    title: outline.title,
    slug: slugOfTitle(outline.title),
    file: 'api/README.md',
    markdown: overviewText(outline),
    pages: below,
  }
  const total = 1 + outline.pages.length
  return { pages: [overview], files: [], warnings: [], total, imported: total }
}

function pagesBelow(
  parent: string | undefined,
  folder: string,
  from: { outline: SpecOutline; src: string },
): ConvertedPage[] {
  const slug = slugSet()
  return from.outline.pages
    .filter(page => page.parent === parent)
    .map(page => pageOf(page, `${folder}/${slug(slugOfTitle(page.name))}`, from))
}

function pageOf(page: OutlinePage, path: string, from: { outline: SpecOutline; src: string }): ConvertedPage {
  const { key, title, description, icon } = page
  return {
    type: 'document',
    title,
    slug: path.slice(path.lastIndexOf('/') + 1),
    file: `${path}/README.md`,
    ...(description !== undefined && { description }),
    ...(icon !== undefined && { icon }),
    markdown: operationsText({ src: from.src }, page),
    pages: pagesBelow(key, path, from),
  }
}

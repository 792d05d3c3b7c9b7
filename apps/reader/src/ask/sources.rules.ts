import type { AnswerSource, SearchResult } from '../api/types.ts'

/** The part of a search that is a source of an answer: its page, with the sections that were read, each place once; one of the page's own title is the page. */
export function hitOfSource({ items }: SearchResult, source: AnswerSource): SearchResult {
  return {
    items: items.flatMap(space => {
      const page = space.id === source.space ? space.pages.find(({ id }) => id === source.page) : undefined
      if (!page) return []
      const places = new Set([page.path])
      const sections = page.sections.filter(({ id, path, title }) => {
        if (!source.sections.includes(id) || places.has(path) || title === page.title) return false
        places.add(path)
        return true
      })
      return [{ ...space, pages: [{ ...page, sections: sections.map(section => ({ ...section, body: '' })) }] }]
    }),
  } as SearchResult
}

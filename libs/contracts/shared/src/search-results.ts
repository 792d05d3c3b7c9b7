import { z } from 'zod'
import { Id, Url } from './conventions.ts'

/** Characters of a search query. */
export const maxSearchQuery = 512

const urls = z.object({ app: Url })

/** A part of a page that matches a search. */
export const SearchSection = z
  .object({
    id: Id,
    title: z.string(),
    path: z.string().describe('Path of the page, with the anchor of the section'),
    body: z.string().describe('The text around the match'),
    urls,
  })
  .meta({ id: 'SearchSection', description: 'A section of a page that matches a search' })

/** A page that matches a search. */
export const SearchPage = z
  .object({
    id: Id,
    title: z.string(),
    path: z.string(),
    sections: z.array(SearchSection).describe('The best matching sections, in the order of the page'),
    urls,
  })
  .meta({ id: 'SearchPage', description: 'A page that matches a search' })

/** A space with pages that match a search. */
export const SearchSpace = z
  .object({ id: Id, title: z.string(), pages: z.array(SearchPage).describe('The best matching pages') })
  .meta({ id: 'SearchSpace', description: 'A space with pages that match a search' })

import { operations } from '@recto/operation'
import { z } from 'zod'
import { Id, list, page, text, Url } from '../shared/conventions.ts'

/** Characters of a search query. */
export const maxSearchQuery = 512

const searching = page.extend({
  query: text({ min: 1, max: maxSearchQuery }).describe(
    'Words to search for; the last letters of a word may be missing, and words in quotes are searched as a phrase',
  ),
})
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

/** Search in main content. */
export const search = operations({
  searchSpaceContent: {
    route: 'GET /spaces/{spaceId}/search',
    summary: 'Search the content of a space',
    description: 'The best match comes first. Readers do not find pages that are not to be indexed; authors do.',
    query: searching,
    reply: list(SearchPage),
    errors: ['not_found'],
  },
  searchOrganizationContent: {
    route: 'GET /orgs/{organizationId}/search',
    summary: 'Search the content of all spaces of an organization that the caller can read',
    query: searching,
    reply: list(SearchSpace),
    errors: ['not_found'],
  },
})

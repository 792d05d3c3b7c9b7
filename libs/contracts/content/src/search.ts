import { operations } from '@recto/operation'
import { list, maxSearchQuery, page, SearchPage, SearchSpace, text } from '@recto/contracts-shared'

const searching = page.extend({
  query: text({ min: 1, max: maxSearchQuery }).describe(
    'Words to search for; the last letters of a word may be missing, and words in quotes are searched as a phrase',
  ),
})
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

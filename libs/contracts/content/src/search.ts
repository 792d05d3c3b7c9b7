import {
  list,
  maxSearchQuery,
  page,
  SearchPage,
  SearchSpace,
  text,
  endpoints,
  onResource,
  guests,
} from '@recto/contracts-shared'

const searching = page.extend({
  query: text({ min: 1, max: maxSearchQuery }).describe(
    'Words to search for; the last letters of a word may be missing, and words in quotes are searched as a phrase',
  ),
})
/** Search in main content. */
export const search = endpoints({
  searchSpaceContent: {
    route: 'GET /spaces/{spaceId}/search',
    summary: 'Search the content of a space',
    description: 'The best match comes first. Readers do not find pages that are not to be indexed; authors do.',
    query: searching,
    reply: list(SearchPage),
    errors: ['not_found'],
    scope: 'space:read',
    access: onResource('read'),
    examples: [{ query: { query: 'guide' } }],
  },
  searchOrganizationContent: {
    route: 'GET /orgs/{organizationId}/search',
    summary: 'Search the content of all spaces of an organization that the caller can read',
    description:
      'The space with the best match comes first, with its ten best pages; `count` counts spaces. Pages that are not to be indexed are found by their authors only.',
    query: searching,
    reply: list(SearchSpace),
    errors: ['not_found'],
    scope: 'organization:search',
    access: { ...guests, limited: 'filtered' },
    examples: [{ query: { query: 'guide' } }],
  },
})

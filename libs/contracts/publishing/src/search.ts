import { z } from 'zod'
import {
  empty,
  endpoints,
  Id,
  list,
  maxSearchQuery,
  page,
  readersAndVisitors,
  reads,
  SearchSpace,
  text,
} from '@recto/contracts-shared'
import { siteLimits } from './site.ts'

const siteSpaceIds = z.array(Id).max(siteLimits.spaces)

/** Which spaces of a site are searched. */
export const SiteSearchScope = z
  .discriminatedUnion('mode', [
    z.object({
      mode: z.literal('default'),
      currentSiteSpace: Id.optional().describe('Is searched instead of the default space of its section'),
      restrictTo: z
        .enum(['currentSiteSpace', 'otherSiteSpaces'])
        .optional()
        .describe('Search only in the current space, or only in the others'),
      includedSiteSpaces: siteSpaceIds.optional().meta({ deprecated: true }).describe('Are searched too'),
    }),
    z.object({ mode: z.literal('specific'), siteSpaceIds }),
    z.object({ mode: z.literal('all') }),
  ])
  .meta({ id: 'SiteSearchScope', description: 'Which spaces of a site are searched' })

const Search = z
  .object({
    query: text({ min: 1, max: maxSearchQuery }),
    scope: SiteSearchScope.optional(),
    mode: z.enum(['all', 'current', 'specific']).optional().meta({ deprecated: true }),
    siteSpaceId: Id.optional().meta({ deprecated: true }).describe('With the mode `current`'),
    siteSpaceIds: siteSpaceIds.optional().meta({ deprecated: true }).describe('With the mode `specific`, or none'),
  })
  .superRefine(({ scope, mode, siteSpaceId, siteSpaceIds }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    const isFlat = mode !== undefined || siteSpaceIds !== undefined
    if (!scope && !isFlat) refuse('scope', 'must be given')
    if (scope && isFlat) refuse('scope', 'must be the only one: leave out mode and siteSpaceIds')
    if (scope?.mode === 'default' && scope.restrictTo !== undefined && scope.currentSiteSpace === undefined)
      context.addIssue({
        code: 'custom',
        path: ['scope', 'currentSiteSpace'],
        message: 'must be given with restrictTo',
      })
    if (mode === 'current' && siteSpaceId === undefined) refuse('siteSpaceId', 'must be given with the mode current')
    if (mode === 'specific' && !siteSpaceIds) refuse('siteSpaceIds', 'must be given with the mode specific')
  })
  .meta({ id: 'SiteSearch', description: 'A search in a site: with a scope, or in the older form with a mode' })

/** Search in published sites. */
export const siteSearch = endpoints({
  searchSiteContent: {
    route: 'POST /orgs/{organizationId}/sites/{siteId}/search',
    summary: 'Search the content of a published site',
    description:
      'The space with the best match comes first; one that the site shows more than once is found once. Paths are relative to the published URL of the space. With the token of a visitor: without what their claims do not let through.',
    query: page,
    body: Search,
    reply: list(SearchSpace),
    isIdempotent: true,
    errors: ['not_found'],
    records: reads,
    scope: 'site:search',
    access: readersAndVisitors,
    examples: [
      { body: { query: 'guide', scope: { mode: 'all' } } },
      { body: { query: 'word', mode: 'current', siteSpaceId: '{siteSpaceId}' } },
      { body: { query: 'word', siteSpaceIds: ['{siteSpaceId}'] } },
      { body: { query: 'word', scope: { mode: 'specific', siteSpaceIds: ['{siteSpaceId}'] } } },
      { body: { query: 'word', scope: { mode: 'default', currentSiteSpace: '{siteSpaceId}' } } },
      {
        body: {
          query: 'word',
          scope: { mode: 'default', currentSiteSpace: '{siteSpaceId}', restrictTo: 'currentSiteSpace' },
        },
      },
      { body: { query: 'word', scope: { mode: 'default', includedSiteSpaces: ['{siteSpaceId}'] } } },
    ],
  },
  prewarmSiteSearch: {
    route: 'POST /orgs/{organizationId}/sites/{siteId}/search/prewarm',
    summary: 'Prepare the search of a published site for a query that is about to come',
    description: 'Opens the site, and the index of its spaces. A search without it gives the same results.',
    reply: empty,
    isIdempotent: true,
    status: 204,
    errors: ['not_found'],
    records: reads,
    scope: 'site:search',
    access: readersAndVisitors,
  },
})

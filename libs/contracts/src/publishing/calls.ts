import { operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, Id, list, page, Role, text, Url } from '../shared/conventions.ts'
import { maxSearchQuery, SearchSpace } from '../content/search.ts'
import { Space } from '../content/spaces.ts'

/** References that one call checks. */
export const maxReferences = 5_000

/** Calls from the gateway, identity and content to publishing. */
export const publishingCalls = operations({
  listClosedSites: {
    summary: 'List the sites that were closed while tokens or downloads of their visitors may still be valid',
    body: z.object({
      withinMs: z.number().int().min(0).optional().describe('Only those that were closed so lately, milliseconds'),
    }),
    reply: z.object({ sites: z.array(z.object({ site: Id, closedVersion: z.number().int() })) }),
  },
  findSite: {
    summary: 'Check whether an organization has a site',
    body: z.object({ organization: Id, site: Id }),
    reply: z.object({ exists: z.boolean() }),
  },
  findShareLink: {
    summary: 'Find the site, this one if it is given, to which an active share link leads and that shows a space',
    body: z.object({ organization: Id, space: Id, key: z.string(), site: Id.optional() }),
    reply: z.object({ site: Id.optional() }),
  },
})

/** Calls from content to publishing about what the settings of a site refer to. */
export const siteSettingCalls = operations({
  listLinkedFiles: {
    summary: 'List the files of spaces that the customization of a site links to; none for an unknown site',
    body: z.object({ site: Id }),
    reply: z.object({
      files: z.array(
        z.object({
          space: Id,
          file: Id,
          conditions: z.array(z.string()).describe('Expressions that must all hold for a visitor to see the link'),
        }),
      ),
    }),
  },
})

/** Spaces whose addresses one call finds. */
export const maxAddresses = 100

/** Calls from content to publishing about where spaces are published. */
export const siteAddressCalls = operations({
  findAddresses: {
    summary: 'Find the addresses of spaces: on the site of a visitor where they see them, else on a public site',
    body: z.object({
      spaces: z.array(Id).max(maxAddresses),
      visitor: z.object({ site: Id, claims: z.record(z.string(), z.unknown()) }).optional(),
    }),
    reply: z.object({
      addresses: z.array(
        z.object({
          space: Id,
          url: Url.describe('Ends in a slash'),
          ...{ organization: Id, site: Id, version: z.number().int() },
          claims: z.record(z.string(), z.unknown()).describe('What is known of who opens the address'),
        }),
      ),
    }),
  },
})

/** Calls from publishing to content about the spaces of sites. */
export const siteContentCalls = operations({
  describeSpaces: {
    summary: 'Describe spaces as an actor sees them, with their role; deleted, unknown and hidden ones are left out',
    body: z.object({ actor: Actor, organization: Id, spaces: z.array(Id).max(1000) }),
    reply: z.object({ spaces: z.array(z.object({ space: Space, role: Role })) }),
  },
  createSpaceOfSite: {
    summary: 'Create a space for a new site, empty or with sample pages',
    body: z.object({ actor: Actor, organization: Id, title: text({ max: 50 }), sample: z.boolean() }),
    reply: z.object({ space: Space }),
    errors: ['not_found'],
  },
  checkReferences: {
    summary: 'Find what of these pages and files is not in the main content of its space, as an actor sees it',
    body: z.object({
      actor: Actor,
      organization: Id,
      references: z.array(z.object({ space: Id, kind: z.enum(['page', 'file']), id: Id })).max(maxReferences),
    }),
    reply: z.object({ missing: z.array(z.number().int()).describe('Their places in the list') }),
  },
  findPages: {
    summary: 'Find the pages that ids and paths lead to, as an actor sees them: also by redirects and by former paths',
    body: z.object({
      actor: Actor,
      organization: Id,
      places: z.array(z.union([z.object({ space: Id, page: Id }), z.object({ space: Id, path: Id })])).max(10),
    }),
    reply: z.object({ pages: z.array(z.object({ id: Id, path: z.string() }).nullable()) }),
  },
  searchSpaces: {
    summary: 'Search the main content of spaces, as an actor sees it',
    query: page,
    body: z.object({
      actor: Actor,
      organization: Id,
      spaces: z.array(Id).max(1000),
      query: text({ min: 1, max: maxSearchQuery }),
      list: z.string().describe('What the list is of: a cursor is valid in no other'),
    }),
    reply: list(SearchSpace),
  },
  resolvePreview: {
    summary: 'Find the change request or revision of a space that an address previews; nothing where there is none',
    body: z.object({
      organization: Id,
      space: Id,
      changeRequest: Id.optional().describe('Its id; its number only counts for a reader of the space'),
      revision: Id.optional().describe('Only counts for a reader of the space'),
      reader: Actor.optional().describe('Who asks with a token of their own, or previews the site'),
    }),
    reply: z.object({ changeRequest: Id.optional(), revision: Id.optional() }),
  },
})

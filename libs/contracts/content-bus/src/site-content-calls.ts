import { operations } from '@recto/operation'
import { z } from 'zod'
import {
  Actor,
  ApplySpaceTemplate,
  HttpUrl,
  Id,
  list,
  maxSearchQuery,
  page,
  Role,
  SearchSpace,
  Space,
  TemplateReference,
  text,
  Url,
} from '@recto/contracts-shared'

/** References that one call checks. */
export const maxReferences = 5_000

/** Targets of links, each of a kind of its own, that one call checks. */
export const maxTargets = 200

/** Calls from publishing to content about the spaces of sites. */
export const siteContentCalls = operations({
  describeSpaces: {
    summary: 'Describe spaces as an actor sees them, with their role; deleted, unknown and hidden ones are left out',
    body: z.object({
      actor: Actor,
      organization: Id,
      spaces: z.array(Id).max(1000),
      onSite: z
        .boolean()
        .optional()
        .describe('Also those that the token is not for and its owner reads, as visitors of a site see spaces'),
    }),
    reply: z.object({ spaces: z.array(z.object({ space: Space, role: Role })) }),
  },
  createSpaceOfSite: {
    summary: 'Create a space for a site: empty, with sample pages, or with those of a template',
    body: z.object({
      actor: Actor,
      organization: Id,
      title: text({ max: 50 }),
      sample: z.boolean(),
      template: ApplySpaceTemplate.optional(),
      openapiUrl: HttpUrl.optional().describe(
        'A specification that is created, and becomes the last pages of the space',
      ),
    }),
    reply: z.object({ space: Space }),
    errors: ['not_found', 'conflict'],
  },
  duplicateSpaceOfSite: {
    summary: 'Duplicate a space of a site: content and settings, without history, comments and permissions',
    body: z.object({ actor: Actor, organization: Id, space: Id }),
    reply: z.object({ space: Space }),
    errors: ['not_found', 'conflict'],
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
  checkTargets: {
    summary: 'Find which of these users, collections and other targets of links an actor does not see',
    body: z.object({ actor: Actor, organization: Id, targets: z.array(TemplateReference).max(maxTargets) }),
    reply: z.object({ missing: z.array(z.number().int()).describe('Their places in the list') }),
  },
  describeFonts: {
    summary: 'Describe fonts of an organization; unknown ones are left out',
    body: z.object({ organization: Id, fonts: z.array(Id).max(1000) }),
    reply: z.object({
      fonts: z.array(
        z.object({
          id: Id,
          fontFamily: z.string(),
          fontFaces: z.array(
            z.object({
              weight: z.number().int(),
              sources: z.array(z.object({ url: Url, format: z.enum(['woff2', 'woff']) })),
            }),
          ),
        }),
      ),
    }),
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

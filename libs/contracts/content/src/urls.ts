import { z } from 'zod'
import {
  anyUser,
  ChangeRequest,
  Collection,
  HttpUrl,
  Page,
  Space,
  Url,
  endpoints,
  readersAndVisitors,
  onResource,
} from '@recto/contracts-shared'

const described = {
  title: z.string(),
  site: z.string().describe('Name of the site, or its host'),
  icon: Url.optional().describe('Icon of the page'),
}

/** A preview of a web page as replies show it. */
export const Embed = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('link'), ...described }),
    z.object({
      type: z.literal('rich'),
      ...described,
      html: z.string().describe('A sandboxed frame of a known provider; never HTML of the page'),
    }),
  ])
  .meta({ id: 'Embed', description: 'A preview of a web page' })

const CollectionContent = z
  .object({ collection: Collection })
  .meta({ id: 'CollectionOfUrl', description: 'The collection that a URL leads to' })
const SpaceContent = z
  .object({
    space: Space,
    changeRequest: ChangeRequest.optional().describe('The change request that the URL names'),
    page: Page.optional().describe('A document or a group, with the pages below it and without text'),
  })
  .meta({ id: 'SpaceOfUrl', description: 'The space that a URL leads to, and the page in it' })

const query = z.object({ url: HttpUrl })
const errors = ['not_found'] as const

/** Previews of web pages that content links to. */
export const embeds = endpoints({
  getEmbedByUrlInSpace: {
    route: 'GET /spaces/{spaceId}/embed',
    summary: 'Get a preview of a web page',
    description:
      'A page that cannot be read, or not within five seconds, gets a preview of its host alone, and no error. Previews are kept for five minutes. Visitors get previews of what their site links to only.',
    query,
    reply: Embed,
    errors,
    scope: 'space:read',
    access: readersAndVisitors,
    examples: [{ query: { url: 'http://127.0.0.1:9/page' } }],
  },
  getEmbedByUrl: {
    route: 'GET /urls/embed',
    summary: 'Get a preview of a public web page',
    description:
      'A page that cannot be read, or not within five seconds, gets a preview of its host alone, and no error. Addresses of private networks are never read.',
    query,
    reply: Embed,
    scope: 'space:read',
    access: anyUser,
    examples: [{ query: { url: 'http://127.0.0.1:9/page' } }],
  },
})

/** Operations on URLs of the installation. */
export const urls = endpoints({
  getContentByUrl: {
    route: 'GET /urls/content',
    summary: 'Get the content that a URL of the application or of the API leads to',
    description:
      'The page is found by its id or its path, in main content, a revision or a change request, as the URL says. A URL of anywhere else, and of what you cannot read, is 404.',
    query,
    reply: z.union([CollectionContent, SpaceContent]).meta({ id: 'ContentOfUrl', description: 'What a URL leads to' }),
    errors,
    scope: 'space:read',
    access: { ...onResource('read'), limited: 'checked' },
    examples: [
      { query: { url: 'http://installation.invalid/c/{collectionId}' } },
      { query: { url: 'http://installation.invalid/s/{spaceId}/~/pages/{pageId}' } },
      { query: { url: 'http://installation.invalid/s/{spaceId}/~/revisions/{revisionId}' } },
      { query: { url: 'http://installation.invalid/v1/spaces/{spaceId}' } },
    ],
  },
})

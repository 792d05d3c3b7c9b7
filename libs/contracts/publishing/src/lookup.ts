import { z } from 'zod'
import { anyone, endpoints, flag, HttpUrl, Id, onResource, reads, text, Url } from '@recto/contracts-shared'

const maxJwtLength = 8_192

const Visitor = z
  .object({
    type: z
      .enum(['human', 'agent'])
      .default('human')
      .describe('A site that excludes AI agents (`agentsContext`) refuses an `agent`'),
    jwtToken: text({ max: maxJwtLength })
      .optional()
      .describe(
        "Token of the site's login server, of a session by its OpenID provider, or a member's from `POST /orgs/{organizationId}/ping`",
      ),
    unsignedClaims: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('What the visitor says without proof: what the adaptive schema declares counts, also as text of a URL'),
  })
  .meta({ id: 'SiteVisitorPayload', description: 'What is known about a visitor' })

const Lookup = z
  .object({
    url: HttpUrl.describe('What the visitor opened, or the beginning of it'),
    redirectOnError: z.boolean().default(false).describe('Sends a visitor with a bad token to log in again'),
    visitor: Visitor.optional(),
  })
  .meta({ id: 'PublishedContentLookup', description: 'An address of published content' })

const Redirect = z
  .object({
    target: z.enum(['application', 'content', 'external']),
    site: Id.optional().describe('The site that leads elsewhere'),
    redirect: Url,
  })
  .meta({ id: 'PublishedContentRedirect', description: 'Where the visitor has to go first' })

const Content = z
  .object({
    organization: Id,
    site: Id,
    siteSection: Id.optional(),
    siteSpace: Id,
    space: Id,
    changeRequest: Id.optional(),
    revision: Id.optional(),
    pullRequest: z
      .object({
        base: Id.optional().describe(
          'The revision of the space that it began from; left out while that is not known, and for those who may not read it',
        ),
      })
      .optional()
      .describe('The address previews a pull request, whose `revision` is compared with its base or the main content'),
    pathname: z.string().describe('What is left of the path: the path in the space'),
    basePath: z.string().describe('The path of the space'),
    siteBasePath: z.string().describe('The path of the site'),
    apiToken: z.string().describe('Token with which the visitor reads the site; the same for a window of ten minutes'),
    shareKey: z.string().optional(),
    preview: z.boolean().optional().describe('Whether the address previews the site'),
    comments: z.boolean().optional().describe('Whether who previews it reads comments of change requests, too'),
    complete: z.boolean().describe('Whether no further part of the path can lead elsewhere'),
    contextId: z.string().optional(),
    canonicalUrl: Url,
  })
  .meta({ id: 'PublishedContent', description: 'What a published address leads to' })

const sitePath = '/orgs/{organizationId}/sites/{siteId}'

const LookupResult = z
  .union([Redirect, Content])
  .meta({ id: 'PublishedContentLookupResult', description: 'Content, or where the visitor has to go first' })

/** Operations that readers of published sites call first. */
export const lookup = endpoints({
  resolvePublishedContentByUrl: {
    route: 'POST /urls/published',
    summary: 'Find what an address of a published site leads to, with a token to read it',
    description:
      'Behind `https://preview/<site>` it needs the token of a preview. A path may name a change request by its id (`/~/changes/<id>`); by its number, or a revision (`/~/revisions/<id>`), with a token of somebody who can read the space, or of a preview. Otherwise a token changes nothing.',
    body: Lookup,
    reply: LookupResult,
    errors: ['not_found'],
    records: reads,
    access: anyone,
    examples: [{ body: { url: 'https://nobody.docs.localhost/' }, answers: 404 }],
    limits: { rate: 'visitor' },
    request: { headers: ['authorization'] },
  },
  getPublishedContentByUrl: {
    route: 'GET /urls/published',
    summary:
      'Find what an address of a published site leads to; use resolvePublishedContentByUrl, which keeps tokens out of addresses',
    description:
      'The reply is that of resolvePublishedContentByUrl: a place with a token, or where the visitor has to log in.',
    query: z.object({
      url: HttpUrl,
      visitorAuthToken: text({ max: maxJwtLength }).optional().describe('As `visitor.jwtToken`'),
      redirectOnError: flag(false),
    }),
    reply: LookupResult,
    errors: ['not_found'],
    access: anyone,
    examples: [{ query: { url: 'https://nobody.docs.localhost/' }, answers: 404 }],
    limits: { rate: 'visitor' },
    request: { headers: ['authorization'] },
  },
  getSitePublishingPreviewById: {
    route: `GET ${sitePath}/publishing/preview`,
    summary: 'Get an address at which the caller sees the site as visitors will; it is valid for an hour',
    description:
      'Also of a site that is not published, with drafts unless `draft` is `false`; only spaces that you can read are in it. Without a reader in the settings of the installation it needs `target` (400).',
    query: z.object({
      siteSpace: Id.optional().describe('Space to begin at'),
      claims: text({ max: maxJwtLength }).optional().describe('Claims of the visitor, in Rison'),
      draft: flag(true).describe('Whether it shows what is not live yet'),
      comments: flag(false).describe(
        'Whether it shows comments of change requests, to whom you give it as to you: with your rights when they are read',
      ),
      target: HttpUrl.optional().describe('Where a reader shows the site; the reader of the installation unless given'),
    }),
    reply: z.object({ url: Url }).meta({ id: 'SitePreview', description: 'Where a site is previewed' }),
    errors: ['not_found'],
    scope: 'site:read',
    access: onResource('read'),
    examples: [{ query: { siteSpace: '{siteSpaceId}' } }, { query: { target: 'https://reader.example.com' } }],
  },
})

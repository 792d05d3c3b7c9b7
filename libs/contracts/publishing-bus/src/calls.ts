import { operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, HttpUrl, Id, Role, SiteVisibility, Url, LimitedTo } from '@recto/contracts-shared'

/** A member or guest of the organization, whose role is null. */
const Standing = z.object({ user: Id, role: Role.nullable(), teams: z.array(Id) })

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
  countSites: {
    summary: 'Count the sites that each member sees, among those that the viewer sees',
    body: z.object({
      organization: Id,
      viewer: Standing.extend({ limitedTo: LimitedTo.optional() }),
      members: z.array(Standing).max(1000),
    }),
    reply: z.object({ members: z.record(Id, z.number().int()) }),
  },
  findShareLink: {
    summary: 'Find the site, this one if it is given, to which an active share link leads and that shows a space',
    body: z.object({ organization: Id, space: Id, key: z.string(), site: Id.optional() }),
    reply: z.object({ site: Id.optional() }),
  },
})

/** Calls from identity to publishing about members who sign in to read a site. */
export const siteVisitCalls = operations({
  checkVisit: {
    summary: 'Check whether a member or guest of an organization reads a site of it',
    body: z.object({ organization: Id, site: Id, member: Standing }),
    reply: z.object({ isVisible: z.boolean() }),
  },
})

/** Calls from identity to publishing about the site that a new organization starts with. */
export const defaultSiteCalls = operations({
  createDefaultSite: {
    summary: 'Create a site with a space of its own',
    body: z.object({
      actor: Actor,
      organization: Id,
      title: z.string(),
      sample: z.boolean().describe('The space has sample pages'),
      visibility: SiteVisibility,
      openapiUrl: HttpUrl.optional().describe('A specification that is created, and becomes pages of the space'),
    }),
    reply: z.object({ site: Id }),
    limits: { timeoutMs: 30_000 },
    errors: ['conflict'],
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
          organization: Id,
          site: Id,
          version: z.number().int(),
          claims: z.record(z.string(), z.unknown()).describe('What is known of who opens the address'),
        }),
      ),
    }),
  },
})

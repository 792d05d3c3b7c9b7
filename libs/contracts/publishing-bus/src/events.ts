import { events } from '@recto/operation'
import { z } from 'zod'
import { Id, SiteVisibility, Url } from '@recto/contracts-shared'

const version = z.number().int().describe('Grows with each change of the site: an event of a lower one is outdated')

/** Events that publishing publishes about sites. */
export const publishingEvents = events({
  siteChanged: {
    subject: 'events.publishing.site.changed',
    summary: 'A site was created or changed, with what it shows now',
    payload: z.object({
      organization: Id,
      site: Id,
      version,
      closedVersion: z.number().int().describe('Visitor tokens of a lower version are not valid any more'),
      published: z.boolean(),
      visibility: SiteVisibility,
      address: Url.default('').describe('The root of the site; share links are below it'),
      hosts: z.array(z.string()).default([]).describe('Where the site is found: by its basename, hostname and proxy'),
      spaces: z.array(z.object({ space: Id, url: Url.describe('Where the site shows it, while published') })),
    }),
    consumers: ['content'],
  },
  siteDeleted: {
    subject: 'events.publishing.site.deleted',
    summary: 'A site was deleted; its spaces stay',
    payload: z.object({ organization: Id, site: Id, version }),
    consumers: ['content'],
  },
})

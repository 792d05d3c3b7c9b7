import { z } from 'zod'
import { hasCredentials, HttpUrl, Id, text, Timestamp } from '@recto/contracts-shared'

const sourcePattern =
  /^\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+)*(?:\/\*|\*)?$/

/** A path of a site that leads elsewhere, or with `*` at its end all paths that begin like it. */
export const SiteRedirectSource = text({ min: 1, max: 512 })
  .refine(
    source => sourcePattern.test(source),
    'must be a path such as /old/page or /old/*, encoded, without a slash at its end',
  )
  .describe('Path below the address of the site; `/old/*` stands for `/old` and everything below it')

/** The fault of a redirect that is to append what a wildcard stands for, and has none. */
export const captureFault = {
  path: ['captureWildcard'],
  error: 'must be false, unless the source has `*` at its end',
}

/** Whether a redirect appends what a wildcard stands for only if its source has one. */
export function capturesByWildcard({ source, captureWildcard }: { source: string; captureWildcard: boolean }): boolean {
  return !captureWildcard || source.endsWith('*')
}

const ExternalUrl = HttpUrl.refine(url => !hasCredentials(url), 'must not contain credentials')

const sectionDestination = z.object({ kind: z.literal('site-section'), siteSectionId: Id })
const spaceDestination = z.object({ kind: z.literal('site-space'), siteSpaceId: Id })
const pageDestination = z.object({ kind: z.literal('site-page'), siteSpaceId: Id, pageId: Id })
const externalDestination = z.object({
  kind: z.literal('external'),
  url: ExternalUrl.describe('http or https URL outside the site'),
})

/** Where a redirect leads: a part of the structure of its site, a page in it, or a URL outside the site. */
export const SiteRedirectDestination = z
  .discriminatedUnion('kind', [sectionDestination, spaceDestination, pageDestination, externalDestination])
  .meta({ id: 'SiteRedirectDestination', description: 'Where a redirect leads' })

const strictDestinations = [
  sectionDestination.strict(),
  spaceDestination.strict(),
  pageDestination.strict(),
  externalDestination.strict(),
] as const

/** Where a redirect is to lead from now on: as `SiteRedirectDestination`, with no other field. */
export const SiteRedirectNextDestination = z
  .discriminatedUnion('kind', strictDestinations)
  .meta({ id: 'SiteRedirectNextDestination', description: 'Where a redirect is to lead' })

/** Where a new redirect leads: as `SiteRedirectDestination`, or to the page that has a path now. */
export const SiteRedirectInputDestination = z
  .discriminatedUnion('kind', [
    ...strictDestinations,
    z.strictObject({
      kind: z.literal('path'),
      spaceId: Id.describe('A space that the site shows'),
      path: text({ min: 1, max: 2048 }).describe('Path of a page in the main content of the space'),
    }),
  ])
  .meta({ id: 'SiteRedirectInputDestination', description: 'Where a new redirect leads' })

/** A path of a site that leads elsewhere. */
export const SiteRedirect = z
  .object({
    object: z.literal('site-redirect'),
    id: Id,
    source: z.string(),
    draft: z.boolean().describe('Drafts are not followed'),
    captureWildcard: z.boolean().describe('Appends what `*` of the source stands for to the destination'),
    permanent: z.boolean().describe('Readers answer 308 on sites that are open to everybody, otherwise 307'),
    destination: SiteRedirectDestination,
    createdAt: Timestamp,
    updatedAt: Timestamp.optional().describe('Left out until the first change'),
  })
  .meta({ id: 'SiteRedirect', description: 'A path of a site that leads elsewhere' })

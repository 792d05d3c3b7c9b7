import { admins, callers, members, hiddenFromGuests, type Access, type Caller } from './access.ts'
import { aCustomization, anAdaptiveSchema, anEvent } from './sites.ts'

/** The resources that the operations are called with: a site with everything in it. */
export interface PublishingSubjects {
  organizationId: string
  /** A space that only the admin and the creator may publish. */
  spaceId: string
  siteId: string
  siteSectionId: string
  siteSectionGroupId: string
  siteSpaceId: string
  shareLinkId: string
  siteRedirectId: string
  /** Another section of the site. */
  otherSectionId: string
  /** The resources that each caller may delete, on a site of its own. */
  doomed: Record<Caller, Doomed>
}

/** Parts of a site to delete. */
export interface Doomed {
  siteId: string
  siteSectionId: string
  siteSectionGroupId: string
  siteSpaceId: string
  shareLinkId: string
  siteRedirectId: string
}

/** Statuses by caller: guests do not see sites; readers, and owners of teams among them, see them and change nothing. */
const creators = (status: number): number[] => [401, 404, 404, 403, status, status, 403]
/** Whoever sees the organization is refused with 403. */
const creatorsInside = (status: number): number[] => [401, 404, 403, 403, status, status, 403]

const anybody = (status: number): number[] => Array.from({ length: callers.length }, () => status)
const body = (sent: unknown) => () => ({ body: sent })
const doomed = ({ doomed }: PublishingSubjects, caller: Caller) => ({ params: { ...doomed[caller] } })

/** The status of each operation of publishing for each caller. */
export const publishingAccess: Record<string, Access<PublishingSubjects>> = {
  listSites: [members(200)],
  createSite: [creatorsInside(201), body({ title: 'More' })],
  getSiteById: [hiddenFromGuests(200)],
  updateSiteById: [creators(200), body({ title: 'Ours' })],
  getPublishedContentSite: [hiddenFromGuests(200)],
  trackEventsInSiteById: [
    anybody(204),
    ({ siteSpaceId }) => ({ body: { events: [anEvent({ siteSpace: siteSpaceId })] } }),
  ],
  aggregateSiteEvents: [creators(200), body({ range: 'last7Days' })],
  getSiteRedirectBySource: [hiddenFromGuests(200), () => ({ query: 'source=/old' })],
  searchSiteContent: [hiddenFromGuests(200), body({ query: 'word', scope: { mode: 'all' } })],
  unpublishSite: [creators(200)],
  // Published again for what follows.
  publishSite: [creators(200)],

  listSiteSections: [hiddenFromGuests(200)],
  addSectionToSite: [creators(201), ({ spaceId }) => ({ body: { spaceId } })],
  updateSiteSectionById: [creators(200), body({ title: 'Ours' })],
  moveSiteSection: [creators(200), body({})],

  listSiteSectionGroups: [hiddenFromGuests(200)],
  addSectionGroupToSite: [creators(201), body({ title: 'More' })],
  updateSiteSectionGroupById: [creators(200), body({ title: 'Ours' })],
  addSectionToGroup: [creators(201), ({ otherSectionId }) => ({ body: { sectionId: otherSectionId } })],
  moveSiteSectionGroup: [creators(200), body({})],
  removeSectionFromGroup: [creators(204)],

  getSiteStructure: [hiddenFromGuests(200)],
  sortSiteStructure: [
    creators(200),
    ({ siteSectionId: id }) => ({ body: { item: { type: 'site-section', id }, position: {} } }),
  ],
  listSiteSpaces: [hiddenFromGuests(200)],
  addSpaceToSite: [creators(201), ({ spaceId }) => ({ body: { spaceId } })],
  updateSiteSpaceById: [creators(200), body({})],
  moveSiteSpace: [creators(200), body({})],

  listSiteShareLinks: [creators(200)],
  createSiteShareLink: [creators(201), body({ name: 'More' })],
  updateSiteShareLinkById: [creators(200), body({ name: 'Ours' })],

  resolvePublishedContentByUrl: [anybody(404), body({ url: 'https://nobody.docs.localhost/' })],
  getSitePublishingPreviewById: [hiddenFromGuests(200)],

  getSiteCustomizationById: [hiddenFromGuests(200)],
  updateSiteCustomizationById: [creators(200), body(aCustomization())],
  getSiteSpaceCustomizationById: [hiddenFromGuests(200)],
  overrideSiteSpaceCustomizationById: [creators(200), body({ title: 'Ours' })],

  listSiteRedirects: [hiddenFromGuests(200)],
  createSiteRedirect: [
    creators(201),
    ({ siteSpaceId }, caller) => ({
      body: { source: `/${caller.replaceAll(' ', '-')}`, destination: { kind: 'site-space', siteSpaceId } },
    }),
  ],
  updateSiteRedirectById: [creators(200), body({ source: '/ours' })],
  listSiteIntegrationScripts: [hiddenFromGuests(200)],
  listPermissionsAggregateInSite: [hiddenFromGuests(200)],
  getSitePublishingAuthById: [creators(200)],
  updateSitePublishingAuthById: [creators(200), body({ fallbackURL: 'https://login.test' })],
  regenerateSitePublishingAuthById: [creators(200)],
  updateSiteAdaptiveSchema: [creators(200), body({ jsonSchema: anAdaptiveSchema })],
  getSiteAdaptiveSchema: [hiddenFromGuests(200)],
  listSiteAdaptiveTemplateConditions: [hiddenFromGuests(200)],

  deleteSiteSpaceCustomizationById: [creators(204)],
  deleteSiteRedirectById: [creators(204), doomed],
  deleteSiteShareLinkById: [creators(204), doomed],
  deleteSiteSpaceById: [creators(204), doomed],
  deleteSiteSectionById: [creators(204), doomed],
  deleteSiteSectionGroupById: [creators(204), doomed],
  deleteSiteById: [admins(204), doomed],
}

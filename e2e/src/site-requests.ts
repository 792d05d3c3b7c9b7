import { aCustomization, anAdaptiveSchema, anEvent } from './sites.ts'
import type { SentInput } from './template.ts'

/** Settings of a site with a link to each kind of target in each place. */
const leadingSomewhere = [
  { kind: 'space', space: '{spaceId}' },
  { kind: 'page', space: '{spaceId}', page: '{pageId}' },
  { kind: 'anchor', anchor: 'a', space: '{spaceId}', page: '{pageId}' },
  { kind: 'file', file: '{fileId}' },
].map(to => {
  const links = [{ title: 'There', to }]
  return {
    header: { preset: 'default', links: [{ title: 'There', to, links }] },
    footer: { groups: [{ title: 'More', links }] },
    announcement: { enabled: true, message: 'News', style: 'info', link: { title: 'There', to } },
  }
})

const beside = (field: 'siteSection' | 'siteSpace', type: string): SentInput[] => [
  { body: { position: { before: { type, [field]: `{${field}Id}` } } } },
  { body: { position: { after: { type, [field]: `{${field}Id}` } } } },
]

/** A question for the numbers of a space on a site. */
export const bySiteSpace = { range: 'last7Days', where: [{ column: 'siteSpace', values: ['{siteSpaceId}'] }] }

/** A question for the numbers of what is on no page of a space. */
export const byPage = {
  range: 'last7Days',
  where: [{ column: 'page', values: [{ space: '{spaceId}', page: null }] }],
}

/** The inputs of operations on sites that require some or accept ids. */
export const siteRequests: Record<string, SentInput[]> = {
  listSites: [{ query: { space: '{spaceId}' } }],
  createSite: [{ body: { spaces: ['{spaceId}'] } }],
  updateSiteById: [
    { body: { title: 'Ours' } },
    { body: { defaultSiteSpace: '{siteSpaceId}' } },
    { body: { defaultSiteSection: '{siteSectionId}' } },
  ],
  addSectionToSite: [{ body: { spaceId: '{spaceId}' } }],
  updateSiteSectionById: [{ body: { title: 'Ours' } }, { body: { defaultSiteSpace: '{siteSpaceId}' } }],
  moveSiteSection: beside('siteSection', 'site-section'),
  addSectionGroupToSite: [{ body: { title: 'More', sections: ['{siteSectionId}'], parent: '{siteSectionGroupId}' } }],
  updateSiteSectionGroupById: [{ body: { title: 'Ours' } }],
  addSectionToGroup: [{ body: { sectionId: '{siteSectionId}' } }],
  moveSiteSectionGroup: [{ body: { position: { before: { type: 'site-section', id: '{siteSectionId}' } } } }],
  sortSiteStructure: [{ body: { item: { type: 'site-space', id: '{siteSpaceId}' }, position: {} } }],
  addSpaceToSite: [{ body: { spaceId: '{spaceId}', sectionId: '{siteSectionId}' } }],
  updateSiteSpaceById: [{ body: { spaceId: '{spaceId}' } }],
  moveSiteSpace: beside('siteSpace', 'site-space'),
  trackEventsInSiteById: [{ siteSpace: '{siteSpaceId}' }, { space: '{spaceId}' }].map(place => ({
    body: { events: [anEvent(place)] },
  })),
  aggregateSiteEvents: [{ body: bySiteSpace }, { body: byPage }],
  resolvePublishedContentByUrl: [{ body: { url: 'https://nobody.docs.localhost/' } }],
  getSitePublishingPreviewById: [{ query: { siteSpace: '{siteSpaceId}' } }],
  getSiteRedirectBySource: [{ query: { source: '/old' } }],
  searchSiteContent: [
    { body: { query: 'word', mode: 'current', siteSpaceId: '{siteSpaceId}' } },
    { body: { query: 'word', siteSpaceIds: ['{siteSpaceId}'] } },
    { body: { query: 'word', scope: { mode: 'specific', siteSpaceIds: ['{siteSpaceId}'] } } },
    { body: { query: 'word', scope: { mode: 'default', currentSiteSpace: '{siteSpaceId}' } } },
    { body: { query: 'word', scope: { mode: 'default', includedSiteSpaces: ['{siteSpaceId}'] } } },
  ],
  updateSiteCustomizationById: leadingSomewhere.map(links => ({ body: { ...aCustomization(), ...links } })),
  overrideSiteSpaceCustomizationById: leadingSomewhere.map(body => ({ body })),
  updateSitePublishingAuthById: [{ body: { fallbackURL: 'https://login.test' } }],
  updateSiteAdaptiveSchema: [{ body: { jsonSchema: anAdaptiveSchema } }],
  createSiteRedirect: [
    { body: { source: '/more', destination: { kind: 'site-section', siteSectionId: '{siteSectionId}' } } },
    {
      body: {
        source: '/page',
        destination: { kind: 'site-page', siteSpaceId: '{siteSpaceId}', pageId: '{pageId}' },
      },
    },
  ],
  updateSiteRedirectById: [
    { body: { destination: { kind: 'site-section', siteSectionId: '{siteSectionId}' } } },
    { body: { destination: { kind: 'site-page', siteSpaceId: '{siteSpaceId}', pageId: '{pageId}' } } },
  ],
  createSiteShareLink: [{ body: { name: 'Ours' } }],
  updateSiteShareLinkById: [{ body: { name: 'Ours' } }],
}

import type { SentInput } from './template.ts'

const beside = (field: 'siteSection' | 'siteSpace', type: string): SentInput[] => [
  { body: { position: { before: { type, [field]: `{${field}Id}` } } } },
  { body: { position: { after: { type, [field]: `{${field}Id}` } } } },
]

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
  resolvePublishedContentByUrl: [{ body: { url: 'https://nobody.docs.localhost/' } }],
  getSitePublishingPreviewById: [{ query: { siteSpace: '{siteSpaceId}' } }],
  createSiteShareLink: [{ body: { name: 'Ours' } }],
  updateSiteShareLinkById: [{ body: { name: 'Ours' } }],
}

import type { Person } from './people.ts'

/** A site with a part of every kind. */
export interface MadeSite {
  siteId: string
  siteSectionId: string
  otherSectionId: string
  siteSectionGroupId: string
  siteSpaceId: string
  shareLinkId: string
}

/** Creates a site with two sections that show a space, a group with one of them, and a share link. */
export async function aSite({ client }: Person, organizationId: string, spaceId: string): Promise<MadeSite> {
  const { orgs } = client
  const site = (await orgs.createSite(organizationId, { title: 'Docs', spaces: [spaceId] })).data
  const add = async (title: string) => (await orgs.addSectionToSite(organizationId, site.id, { spaceId, title })).data
  const [section, other] = [await add('Guides'), await add('Api')]
  const group = await orgs.addSectionGroupToSite(organizationId, site.id, { title: 'More', sections: [section.id] })
  const link = await orgs.createSiteShareLink(organizationId, site.id, { name: 'Friends' })
  return {
    siteId: site.id,
    siteSectionId: section.id,
    otherSectionId: other.id,
    siteSectionGroupId: group.data.id,
    siteSpaceId: section.siteSpaces[0]?.id ?? '',
    shareLinkId: link.data.id,
  }
}

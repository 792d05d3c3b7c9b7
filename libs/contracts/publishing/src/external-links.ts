import { empty, endpoints, onResource } from '@recto/contracts-shared'
import { SiteExternalLink } from './site.ts'
import { AddExternalLink, UpdateExternalLink } from './structure-bodies.ts'

const linksPath = '/orgs/{organizationId}/sites/{siteId}/external-links'

/** Links in the navigation of sites. */
export const siteExternalLinks = endpoints({
  addExternalLinkToSite: {
    route: `POST ${linksPath}`,
    summary: 'Add a link to the navigation of a site with sections',
    description: 'It goes to the end of the site, or of a group. A site without sections has no place for it (400).',
    body: AddExternalLink,
    reply: SiteExternalLink,
    creates: 'resource',
    errors: ['not_found'],
    records: ['site.external-link.added'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [{ body: { title: 'Status', url: 'https://status.example.com', parent: '{siteSectionGroupId}' } }],
  },
  updateSiteExternalLinkById: {
    route: `PATCH ${linksPath}/{siteExternalLinkId}`,
    summary: 'Update a link in the navigation of a site',
    description: 'Fields that are left out stay, and `null` clears.',
    body: UpdateExternalLink,
    reply: SiteExternalLink,
    errors: ['not_found'],
    records: ['site.external-link.updated'],
    scope: 'site:write',
    access: onResource('create'),
    examples: [{ body: { title: 'Status page', parent: '{siteSectionGroupId}' } }],
  },
  deleteSiteExternalLinkById: {
    route: `DELETE ${linksPath}/{siteExternalLinkId}`,
    summary: 'Delete a link from the navigation of a site',
    description: 'A link that is not there is no error.',
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: ['site.external-link.removed'],
    scope: 'site:write',
    access: onResource('create'),
  },
})

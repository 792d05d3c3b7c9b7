import { types } from './record-type.ts'

/** Types of changes of sites. */
export const publishing = types({
  'site.created': { summary: 'A site was created', about: ['site'], names: { spaces: 'space' } },
  'site.updated': { summary: 'The settings of a site were updated', about: ['site'] },
  'site.deleted': { summary: 'A site was deleted; its spaces stay', about: ['site'] },
  'site.published': { summary: 'A site was published', about: ['site'] },
  'site.unpublished': { summary: 'A site was unpublished', about: ['site'] },
  'site.customization.updated': {
    summary: 'The customization of a site, or of one of its spaces, changed',
    about: ['site'],
  },
  'site.adaptive-schema.updated': { summary: 'The schema of claims of visitors changed', about: ['site'] },
  'site.authentication.updated': { summary: 'How visitors of a site sign in changed', about: ['site'], role: 'create' },
  'site.authentication.key.regenerated': {
    summary: 'The key that signs visitors in was replaced',
    about: ['site'],
    role: 'create',
  },
  'site.permissions.updated': {
    summary: 'Grants or the default level of a site changed',
    about: ['site'],
    role: 'create',
  },
  'site.space.added': { summary: 'A space was added to a site', about: ['site', 'siteSpace'] },
  'site.space.updated': { summary: 'A space of a site was updated or moved', about: ['site', 'siteSpace'] },
  'site.space.removed': { summary: 'A space was removed from a site', about: ['site', 'siteSpace'] },
  'site.section.added': { summary: 'A section was added to a site', about: ['site', 'siteSection'] },
  'site.section.updated': { summary: 'A section of a site was updated or moved', about: ['site', 'siteSection'] },
  'site.section.removed': { summary: 'A section was removed from a site', about: ['site', 'siteSection'] },
  'site.section-group.added': {
    summary: 'A group of sections was added to a site',
    about: ['site', 'siteSectionGroup'],
  },
  'site.section-group.updated': {
    summary: 'A group of sections was updated or moved',
    about: ['site', 'siteSectionGroup'],
  },
  'site.section-group.removed': { summary: 'A group of sections was removed', about: ['site', 'siteSectionGroup'] },
  'site.external-link.added': {
    summary: 'A link was added to the navigation of a site',
    about: ['site', 'siteExternalLink'],
  },
  'site.external-link.updated': {
    summary: 'A link of the navigation was updated',
    about: ['site', 'siteExternalLink'],
  },
  'site.external-link.removed': {
    summary: 'A link was removed from the navigation',
    about: ['site', 'siteExternalLink'],
  },
  'site.redirect.created': { summary: 'A redirect of a site was created', about: ['site', 'siteRedirect'] },
  'site.redirect.updated': { summary: 'A redirect of a site was updated', about: ['site', 'siteRedirect'] },
  'site.redirect.deleted': { summary: 'A redirect of a site was deleted', about: ['site', 'siteRedirect'] },
  'site.redirects.updated': { summary: 'Several redirects of a site were created or updated', about: ['site'] },
  'site.share-link.created': {
    summary: 'A share link of a site was created',
    about: ['site', 'siteShareLink'],
    role: 'create',
  },
  'site.share-link.updated': {
    summary: 'A share link of a site was updated',
    about: ['site', 'siteShareLink'],
    role: 'create',
  },
  'site.share-link.deleted': {
    summary: 'A share link of a site was deleted',
    about: ['site', 'siteShareLink'],
    role: 'create',
  },
  'site.mcp-server.created': {
    summary: 'An MCP server of a site was created',
    about: ['site', 'siteMcpServer'],
    role: 'create',
  },
  'site.mcp-server.updated': {
    summary: 'An MCP server of a site was updated',
    about: ['site', 'siteMcpServer'],
    role: 'create',
  },
  'site.mcp-server.deleted': {
    summary: 'An MCP server of a site was deleted',
    about: ['site', 'siteMcpServer'],
    role: 'create',
  },
  'site.hostname.updated': { summary: 'The hostname of a site was checked, set or removed', about: ['site'] },
})

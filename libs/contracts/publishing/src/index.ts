import { siteAsk } from './ask.ts'
import { sitePublishingAuth, adaptiveSchemas } from './audience.ts'
import { agentFeedback } from './agent-feedback.ts'
import { bulkSiteRedirects } from './bulk-redirects.ts'
import { customizations } from './customization.ts'
import { siteExternalLinks } from './external-links.ts'
import { hostnames } from './hostnames.ts'
import { insights } from './insights.ts'
import { lookup } from './lookup.ts'
import { siteMcpServers } from './mcp-servers.ts'
import { sitePermissions } from './permissions.ts'
import { publishedSites } from './published.ts'
import { siteRedirection } from './redirection.ts'
import { siteRedirects, siteManagement } from './redirects.ts'
import { siteSearch } from './search.ts'
import { shareLinks } from './share-links.ts'
import { sites } from './sites.ts'
import { siteSpaces } from './site-spaces.ts'
import { siteSections, siteSectionGroups } from './structure.ts'
import { visitorSignIns } from './visitor-sign-in.ts'

export * from './adaptive-schema-faults.ts'
export * from './agent-feedback.ts'
export * from './ask.ts'
export * from './audience.ts'
export * from './bulk-redirects.ts'
export * from './customization-examples.ts'
export * from './customization-parts.ts'
export * from './customization.ts'
export * from './default-customization.ts'
export * from './external-links.ts'
export * from './hostnames.ts'
export * from './insights-query.ts'
export * from './insights-values.ts'
export * from './insights.ts'
export * from './lookup.ts'
export * from './mcp-servers.ts'
export * from './permissions.ts'
export * from './published.ts'
export * from './redirection.ts'
export * from './redirect-schemas.ts'
export * from './redirects.ts'
export * from './search.ts'
export * from './share-links.ts'
export * from './site.ts'
export * from './sites.ts'
export * from './site-spaces.ts'
export * from './structure.ts'
export * from './visitor-providers.ts'
export * from './visitor-sign-in.ts'

/** Operations of the API that publishing answers. */
export const publishingApi = {
  ...sites,
  ...siteSections,
  ...siteSectionGroups,
  ...siteExternalLinks,
  ...siteSpaces,
  ...shareLinks,
  ...customizations,
  ...sitePublishingAuth,
  ...adaptiveSchemas,
  ...siteRedirects,
  ...bulkSiteRedirects,
  ...siteManagement,
  ...sitePermissions,
  ...hostnames,
  ...agentFeedback,
  ...siteMcpServers,
  ...insights,
  ...lookup,
  ...visitorSignIns,
  ...publishedSites,
  ...siteRedirection,
  ...siteSearch,
  ...siteAsk,
}

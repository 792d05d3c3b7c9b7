import { serviceEntities, type DatabaseLimits, type DatabaseOptions } from '@recto/database'
import { AdaptiveSchemaEntity } from './adaptive-schema/adaptive-schema.entity.ts'
import { ShareLinkEntity } from './share-links/share-link.entity.ts'
import { McpServerEntity } from './mcp-servers/mcp-server.entity.ts'
import { SiteAuthEntity } from './publishing-auth/site-auth.entity.ts'
import { MemberVisitorsEntity } from './publishing-auth/member-visitors.entity.ts'
import { SiteOidcEntity } from './publishing-auth/site-oidc.entity.ts'
import { InsightsCounterEntity } from './insights/insights-counter.entity.ts'
import { CreatePublishing1764500000000 } from './migrations/1764500000000-create-publishing.ts'
import { SiteFormerPaths1764600000000 } from './migrations/1764600000000-site-former-paths.ts'
import { InsightsAndPurges1764800000000 } from './migrations/1764800000000-insights-and-purges.ts'
import { WakeTriggers1765300000000 } from './migrations/1765300000000-wake-triggers.ts'
import { SitesChangedAt1765500000000 } from './migrations/1765500000000-sites-changed-at.ts'
import { RedirectSettings1766000000000 } from './migrations/1766000000000-redirect-settings.ts'
import { SiteDrafts1766100000000 } from './migrations/1766100000000-site-drafts.ts'
import { SitePermissions1766200000000 } from './migrations/1766200000000-site-permissions.ts'
import { LogoutAndFeedback1766400000000 } from './migrations/1766400000000-logout-and-feedback.ts'
import { CustomHostnames1766300000000 } from './migrations/1766300000000-custom-hostnames.ts'
import { SiteMcpServers1766800000000 } from './migrations/1766800000000-site-mcp-servers.ts'
import { RecordedChanges1766900000000 } from './migrations/1766900000000-recorded-changes.ts'
import { VisitorSignIn1767000000000 } from './migrations/1767000000000-visitor-sign-in.ts'
import { MemberVisitors1767200000000 } from './migrations/1767200000000-member-visitors.ts'
import { EdgePurges1767300000000 } from './migrations/1767300000000-edge-purges.ts'
import { EdgeEntity } from './purges/edge.entity.ts'
import { EdgePurgeEntity } from './purges/edge-purge.entity.ts'
import { ReaderPurgeEntity } from './purges/reader-purge.entity.ts'
import { ReaderEntity } from './purges/reader.entity.ts'
import { SiteCustomizationEntity } from './customization/site-customization.entity.ts'
import { SiteSpaceCustomizationEntity } from './customization/site-space-customization.entity.ts'
import { DeletedSiteEntity } from './sites/deleted-site.entity.ts'
import { FormerSitePathEntity } from './former-paths/former-site-path.entity.ts'
import { RedirectEntity } from './redirects/redirect.entity.ts'
import { AgentFeedbackEntity } from './agent-feedback/agent-feedback.entity.ts'
import { CustomHostnameEntity } from './hostnames/custom-hostname.entity.ts'
import { SiteGrantEntity } from './site-access/site-grant.entity.ts'
import { SiteEntity } from './sites/site.entity.ts'
import { ExternalLinkEntity } from './structure/external-link.entity.ts'
import { GroupEntity } from './structure/group.entity.ts'
import { SectionEntity } from './structure/section.entity.ts'
import { SiteSpaceEntity } from './structure/site-space.entity.ts'
import { VisitorLogoutEntity } from './visitor-sessions/visitor-logout.entity.ts'
import { VisitorSessionEntity } from './visitor-sessions/visitor-session.entity.ts'
import { VisitorSignInEntity } from './visitor-sessions/visitor-sign-in.entity.ts'

/** Entities and migrations of the publishing database. */
export function publishingDatabase(url: string, limits: DatabaseLimits = {}): DatabaseOptions {
  return {
    url,
    ...limits,
    entities: [
      SiteEntity,
      DeletedSiteEntity,
      SiteGrantEntity,
      CustomHostnameEntity,
      AgentFeedbackEntity,
      GroupEntity,
      SectionEntity,
      SiteSpaceEntity,
      ExternalLinkEntity,
      SiteCustomizationEntity,
      SiteSpaceCustomizationEntity,
      RedirectEntity,
      FormerSitePathEntity,
      ShareLinkEntity,
      SiteAuthEntity,
      SiteOidcEntity,
      MemberVisitorsEntity,
      VisitorSessionEntity,
      VisitorSignInEntity,
      VisitorLogoutEntity,
      McpServerEntity,
      AdaptiveSchemaEntity,
      InsightsCounterEntity,
      ReaderPurgeEntity,
      ReaderEntity,
      EdgeEntity,
      EdgePurgeEntity,
      ...serviceEntities,
    ],
    migrations: [
      CreatePublishing1764500000000,
      SiteFormerPaths1764600000000,
      InsightsAndPurges1764800000000,
      WakeTriggers1765300000000,
      SitesChangedAt1765500000000,
      RedirectSettings1766000000000,
      SiteDrafts1766100000000,
      SitePermissions1766200000000,
      CustomHostnames1766300000000,
      LogoutAndFeedback1766400000000,
      SiteMcpServers1766800000000,
      RecordedChanges1766900000000,
      VisitorSignIn1767000000000,
      MemberVisitors1767200000000,
      EdgePurges1767300000000,
    ],
  }
}

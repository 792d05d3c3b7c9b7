import { accessCalls } from './content/access-calls.ts'
import { changeRequestContent } from './content/change-request-content.ts'
import { changeRequestEvents } from './content/change-request-events.ts'
import { changeRequests } from './content/change-requests.ts'
import { collections } from './content/collections.ts'
import { commentEvents } from './content/comment-events.ts'
import { changeRequestComments, comments } from './content/comments.ts'
import { computed } from './content/computed.ts'
import { content } from './content/content.ts'
import { editing } from './content/editing.ts'
import { contentEvents } from './content/events.ts'
import { lifecycle } from './content/lifecycle.ts'
import { lifecycleEvents } from './content/lifecycle-events.ts'
import { git } from './git-worker/operations.ts'
import { history } from './content/history.ts'
import { changeRequestImports, imports } from './content/imports.ts'
import { glossary } from './content/glossary.ts'
import { gitJobs } from './git-worker/jobs.ts'
import { gitSync } from './git-worker/sync.ts'
import { gitWorkerCalls } from './git-worker/calls.ts'
import { gitContentCalls, GitOutcome, ShownRepository } from './git-worker/content-calls.ts'
import { changeRequestLinks, links } from './content/links.ts'
import { merging } from './content/merging.ts'
import { collectionPermissions, spacePermissions } from './content/permissions.ts'
import { changeRequestPdf, pdf } from './content/pdf.ts'
import { reviewEvents } from './content/review-events.ts'
import { reviews } from './content/reviews.ts'
import { search } from './content/search.ts'
import { spaces } from './content/spaces.ts'
import { translations } from './content/translations.ts'
import { uploadCalls, uploads } from './content/uploads.ts'
import { embeds, publicAddressCalls, urls } from './content/urls.ts'
import { identityCalls, identityEvents, peopleCalls } from './identity/bus.ts'
import { invites } from './identity/invites.ts'
import { members } from './identity/members.ts'
import { organizations } from './identity/organizations.ts'
import { saml } from './identity/saml.ts'
import { teamMembers } from './identity/team-members.ts'
import { teams } from './identity/teams.ts'
import { users } from './identity/users.ts'
import { openApiSpecCalls, shownSpecCalls, SpecificationOutline, SpecificationReading } from './openapi-specs/calls.ts'
import { openApiSpecEvents } from './openapi-specs/events.ts'
import { openApiSpecs, openApiSpecVersions, publicOpenApiSpecs } from './openapi-specs/specs.ts'
import { publishingCalls, siteAddressCalls, siteContentCalls, siteSettingCalls } from './publishing/calls.ts'
import { adaptiveSchemas, sitePublishingAuth } from './publishing/audience.ts'
import { customizations } from './publishing/customization.ts'
import { publishingEvents } from './publishing/events.ts'
import { insights } from './publishing/insights.ts'
import { lookup } from './publishing/lookup.ts'
import { publishedSites } from './publishing/published.ts'
import { siteRedirection } from './publishing/redirection.ts'
import { siteManagement, siteRedirects } from './publishing/redirects.ts'
import { siteSearch } from './publishing/search.ts'
import { shareLinks } from './publishing/share-links.ts'
import { sites } from './publishing/sites.ts'
import { siteSectionGroups, siteSections, siteSpaces } from './publishing/structure.ts'
import { service } from './service.ts'

export { Collection } from './content/collections.ts'
export { ChangeRequest } from './content/change-request.ts'
export { MergeRule, OrganizationMergeRules, SpaceMergeRules, usersOfMergeRules } from './shared/merge-rules.ts'
export { Comment, CommentReply, commentLimits } from './content/comment.ts'
export { allOf, User } from './shared/conventions.ts'
export { Language, Space } from './content/spaces.ts'
export { contentLimits, Revision, File, ReusableContent } from './content/pages.ts'
export { GitError, GitWarning, gitErrors, gitStages, gitStates } from './git-worker/operations.ts'
export { gitSyncLimits } from './git-worker/sync.ts'
export { GitCredentials, GitPush } from './git-worker/jobs.ts'
export {
  ExportManifest,
  ExportState,
  ImportedPage,
  ImportManifest,
  RevisionSnapshot,
} from './git-worker/manifests.ts'
export { entrySettings, settingsOfSections } from './content/repository-settings.ts'
export { ApplySpaceTemplate, importStates, isImportable, type ImportSource } from './content/imports.ts'
export { Page } from './content/pages.ts'
export { ContentChange, ContentChanges, ContentChangesResult, DocumentInput } from './content/editing.ts'
export { glossaryLimits } from './content/glossary.ts'
export { translationRunStates } from './content/translations.ts'
export { MergeConflict } from './content/merging.ts'
export { SemanticChange } from './content/history.ts'
export { Embed } from './content/urls.ts'
export { ContentLocation, ContentReferenceUsage } from './content/links.ts'
export { Organization } from './shared/organization.ts'
export { maxSearchQuery, SearchPage, SearchSection, SearchSpace } from './content/search.ts'
export { rights } from './shared/rights.ts'
export { unsetUrl } from './identity/saml.ts'
export {
  Site,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure,
  siteFeatures,
  siteLimits,
  siteTypes,
  siteVisibilities,
} from './publishing/site.ts'
export { maxAddresses, maxReferences } from './publishing/calls.ts'
export { adaptiveSchemaLimits } from './publishing/adaptive-schema-faults.ts'
export { SiteAdaptiveJsonSchema, SitePublishingAuth } from './publishing/audience.ts'
export { SiteCustomizationSettings, SiteSpaceCustomization } from './publishing/customization.ts'
export { SiteRedirect, SiteRedirectDestination } from './publishing/redirects.ts'
export {
  OpenAPISpec,
  OpenAPISpecVersion,
  processErrorCodes,
  processingStates,
  SpecSlug,
} from './openapi-specs/specs.ts'
export { SiteInsightsEvent } from './publishing/insights.ts'
export type { SiteInsightsAggregation, SiteInsightsColumn, SiteInsightsValues } from './publishing/insights-query.ts'
export { insightsEventTypes, insightsLimits } from './publishing/insights-values.ts'
export { services, type ServiceName } from './services.ts'
export {
  accessCalls,
  adaptiveSchemas,
  changeRequestComments,
  changeRequestContent,
  changeRequestEvents,
  changeRequestImports,
  changeRequestLinks,
  changeRequestPdf,
  changeRequests,
  collectionPermissions,
  collections,
  commentEvents,
  comments,
  computed,
  content,
  contentEvents,
  customizations,
  editing,
  embeds,
  git,
  gitContentCalls,
  GitOutcome,
  ShownRepository,
  gitJobs,
  gitSync,
  gitWorkerCalls,
  glossary,
  history,
  identityCalls,
  identityEvents,
  imports,
  insights,
  invites,
  lifecycle,
  lifecycleEvents,
  links,
  lookup,
  members,
  merging,
  openApiSpecCalls,
  openApiSpecEvents,
  openApiSpecs,
  openApiSpecVersions,
  organizations,
  pdf,
  peopleCalls,
  publicAddressCalls,
  publishingCalls,
  publishingEvents,
  publicOpenApiSpecs,
  publishedSites,
  reviewEvents,
  reviews,
  saml,
  search,
  service,
  shareLinks,
  shownSpecCalls,
  SpecificationOutline,
  SpecificationReading,
  siteContentCalls,
  siteAddressCalls,
  siteSettingCalls,
  siteManagement,
  sitePublishingAuth,
  siteRedirection,
  siteRedirects,
  siteSearch,
  sites,
  siteSectionGroups,
  siteSections,
  siteSpaces,
  spacePermissions,
  spaces,
  teamMembers,
  teams,
  translations,
  uploadCalls,
  uploads,
  urls,
  users,
}

/** Operations of the API by the service that owns them. */
export const api = {
  identity: { ...service, ...users, ...organizations, ...members, ...teams, ...teamMembers, ...invites, ...saml },
  content: {
    ...spaces,
    ...lifecycle,
    ...collections,
    ...spacePermissions,
    ...collectionPermissions,
    ...content,
    ...computed,
    ...imports,
    ...editing,
    ...uploads,
    ...search,
    ...links,
    ...history,
    ...changeRequests,
    ...merging,
    ...changeRequestContent,
    ...comments,
    ...changeRequestComments,
    ...reviews,
    ...changeRequestLinks,
    ...changeRequestImports,
    ...pdf,
    ...changeRequestPdf,
    ...embeds,
    ...urls,
    ...translations,
    ...glossary,
  },
  publishing: {
    ...sites,
    ...siteSections,
    ...siteSectionGroups,
    ...siteSpaces,
    ...shareLinks,
    ...customizations,
    ...sitePublishingAuth,
    ...adaptiveSchemas,
    ...siteRedirects,
    ...siteManagement,
    ...insights,
    ...lookup,
    ...publishedSites,
    ...siteRedirection,
    ...siteSearch,
  },
  'openapi-specs': { ...openApiSpecs, ...openApiSpecVersions, ...publicOpenApiSpecs },
  'git-worker': { ...git, ...gitSync },
}

/** Calls between services, by the service that answers. */
export const calls = {
  identity: { ...identityCalls, ...peopleCalls },
  content: {
    ...gitContentCalls,
    ...accessCalls,
    ...uploadCalls,
    ...siteContentCalls,
    ...shownSpecCalls,
    ...publicAddressCalls,
  },
  publishing: { ...publishingCalls, ...siteAddressCalls, ...siteSettingCalls },
  'openapi-specs': openApiSpecCalls,
  'git-worker': gitWorkerCalls,
}

/** Every event of the platform. */
export const allEvents = {
  ...identityEvents,
  ...contentEvents,
  ...lifecycleEvents,
  ...changeRequestEvents,
  ...commentEvents,
  ...reviewEvents,
  ...publishingEvents,
  ...openApiSpecEvents,
}

/** Every job of the platform. */
export const allJobs = { ...gitJobs }

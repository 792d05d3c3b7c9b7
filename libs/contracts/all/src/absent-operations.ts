import type { AbsentPaths } from '@recto/operation'

/**
 * Paths of the published API that Recto does not answer, each with the reason that callers are told. `docs/published-api.md` lists the
 * operations; a trailing `*` stands for anything below.
 */
export const absentPaths: readonly AbsentPaths[] = [
  {
    reason: 'Recto has no billing and no advertisements',
    paths: ['/orgs/{organizationId}/billing/*', '/orgs/{organizationId}/sites/{siteId}/ads', '/ads/*'],
  },
  {
    reason: 'Recto has no integration platform',
    paths: [
      '/integrations',
      '/integrations/*',
      '/orgs/{organizationId}/installations',
      '/orgs/{organizationId}/integrations',
      '/orgs/{organizationId}/integrations/*',
      '/orgs/{organizationId}/sites/{siteId}/integrations',
      '/spaces/{spaceId}/integrations',
      '/spaces/{spaceId}/integration-blocks',
    ],
  },
  {
    reason: 'Recto has no installations of hosted git apps: a synchronisation has a URL and credentials of its own',
    paths: [
      '/git/installations',
      '/git/installations/*',
      '/orgs/{organizationId}/sites/{siteId}/spaces/git/installations',
    ],
  },
  {
    reason: 'Recto has no AI agents',
    paths: [
      '/orgs/{organizationId}/agent/conversations',
      '/orgs/{organizationId}/agent/conversations/*',
      '/orgs/{organizationId}/agent-instructions',
      '/orgs/{organizationId}/sites/{siteId}/agent-settings',
      '/orgs/{organizationId}/sites/{siteId}/ai/response',
      '/spaces/{spaceId}/change-requests/{changeRequestId}/conversations',
      '/spaces/{spaceId}/change-requests/{changeRequestId}/conversations/*',
    ],
  },
  {
    reason: 'Recto has no channels',
    paths: ['/orgs/{organizationId}/sites/{siteId}/channels', '/orgs/{organizationId}/sites/{siteId}/channels/*'],
  },
  {
    reason: 'Recto has no context connections, records, scans, findings and topics',
    paths: [
      '/orgs/{organizationId}/sites/{siteId}/context-connections',
      '/orgs/{organizationId}/sites/{siteId}/context-connections/*',
      '/orgs/{organizationId}/sites/{siteId}/context-records',
      '/orgs/{organizationId}/sites/{siteId}/context-records/*',
      '/orgs/{organizationId}/sites/{siteId}/findings',
      '/orgs/{organizationId}/sites/{siteId}/findings/*',
      '/orgs/{organizationId}/sites/{siteId}/scans',
      '/orgs/{organizationId}/sites/{siteId}/scans/*',
      '/orgs/{organizationId}/sites/{siteId}/stats/findings',
      '/orgs/{organizationId}/sites/{siteId}/topics',
      '/orgs/{organizationId}/sites/{siteId}/topics/*',
    ],
  },
  {
    reason: 'Recto does not keep the questions of visitors',
    paths: [
      '/orgs/{organizationId}/sites/{siteId}/questions',
      '/orgs/{organizationId}/sites/{siteId}/questions/*',
      '/orgs/{organizationId}/sites/{siteId}/question-stats',
      '/orgs/{organizationId}/sites/{siteId}/answers',
      '/orgs/{organizationId}/sites/{siteId}/answers/*',
    ],
  },
  {
    reason: 'Recto has no style guides',
    paths: [
      '/orgs/{organizationId}/styleguides',
      '/orgs/{organizationId}/styleguide-templates',
      '/orgs/{organizationId}/sites/{siteId}/styleguide',
      '/orgs/{organizationId}/sites/{siteId}/styleguide/*',
    ],
  },
  { reason: 'Recto sends no notifications to users', paths: ['/user/notifications/token'] },
]

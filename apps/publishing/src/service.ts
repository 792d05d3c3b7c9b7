import type { Actor } from '@recto/actor'
import { busClient, type Bus } from '@recto/bus'
import { gitWorkerCalls } from '@recto/contracts-git-worker-bus'
import { identityCalls, identityEvents, peopleCalls, visitCalls } from '@recto/contracts-identity-bus'
import { publishingApi } from '@recto/contracts-publishing'
import { contentEvents, contentRpc, lifecycleEvents } from '@recto/contracts-content-bus'
import { openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import { publishingRpc } from '@recto/contracts-publishing-bus'
import { refusedToMember } from '@recto/contracts-shared'
import { compose } from '@recto/operation'
import {
  busSettings,
  databaseLimits,
  type PeriodicWork,
  type RunningService,
  type RunTransaction,
  startDatabaseService,
  startScheduler,
} from '@recto/service'
import { createOpenIdClient } from '@recto/openid'
import type { Db } from '@recto/database'
import type { Log, Metrics } from '@recto/telemetry'
import { createVisitedSites } from './published-sites/visited-sites.ts'
import { publishingDatabase } from './database.ts'
import { adaptiveSchemaFeature } from './adaptive-schema/adaptive-schema.handlers.ts'
import { customizationFeature } from './customization/customization.handlers.ts'
import { insightsFeature } from './insights/insights.handlers.ts'
import { managementFeature } from './sites/management.handlers.ts'
import { publishingAuthFeature } from './publishing-auth/publishing-auth.handlers.ts'
import { redirectionFeature } from './redirection/redirection.handlers.ts'
import { bulkRedirectFeature } from './redirects/bulk-redirects.handlers.ts'
import { redirectFeature } from './redirects/redirects.handlers.ts'
import { lookupFeature } from './lookup/lookup.handlers.ts'
import { publishedSiteFeature } from './published-sites/published.handlers.ts'
import { siteSearchFeature } from './search/search.handlers.ts'
import { siteAskFeature } from './ask/ask.handlers.ts'
import { siteMcpServerFeature } from './mcp-servers/mcp-servers.handlers.ts'
import { visitorSessionsCleanup } from './visitor-sessions/forget-sessions.ts'
import { visitorSignInFeature } from './visitor-sign-in/visitor-sign-in.handlers.ts'
import { shareLinkFeature } from './share-links/share-links.handlers.ts'
import { siteFeature } from './sites/sites.handlers.ts'
import { siteExternalLinkFeature } from './structure/external-links.handlers.ts'
import { siteSectionGroupFeature } from './structure/section-groups.handlers.ts'
import { siteSectionFeature } from './structure/sections.handlers.ts'
import { siteSpaceFeature } from './structure/site-spaces.handlers.ts'
import { createCounting } from './insights/counting.ts'
import { counterRetentionJob } from './insights/forget-counters.ts'
import { addCounts } from './insights/insights-counters.repository.ts'
import { edgePurgeJob, edgePurgeTimes, type EdgePurgeTimes } from './purges/purge-edges.ts'
import { edgesOf } from './purges/edges.rules.ts'
import { purgeTimes, readerPurgeJob, type PurgeTimes } from './purges/purge-readers.ts'
import { agentFeedbackFeature } from './agent-feedback/agent-feedback.handlers.ts'
import { feedbackRetentionJob } from './agent-feedback/forget-feedback.ts'
import { hostnameFeature } from './hostnames/hostnames.handlers.ts'
import { txtResolver } from './hostnames/resolve-txt.ts'
import { hostnameChecks } from './sites/check-hostnames.ts'
import { identityEventHandlers } from './site-access/identity-events.handlers.ts'
import { sitePermissionFeature } from './site-permissions/permissions.handlers.ts'
import { contentEventHandlers } from './sites/content-events.handlers.ts'
import { specificationEventHandlers } from './purges/specification-events.handlers.ts'
import { siteAddressCallFeature } from './published-sites/site-address-calls.handlers.ts'
import { siteVisitCallFeature } from './published-sites/site-visit-calls.handlers.ts'
import { siteSettingCallFeature } from './customization/site-setting-calls.handlers.ts'
import { defaultSiteCallFeature } from './sites/default-site-calls.handlers.ts'
import { siteReaderCallFeature } from './sites/reader-calls.handlers.ts'
import { publishingCallFeature } from './sites/publishing-calls.handlers.ts'
import { deletedSitesCleanup } from './sites/deleted-sites.ts'
import type { Config } from './shared/config.ts'
import type { BaseContext } from './shared/context.ts'

/** Events that publishing may consume, by the service that publishes them. */
const consumedEvents = { ...contentEvents, ...lifecycleEvents, ...openApiSpecEvents, ...identityEvents }

interface Parts {
  log: Log
  metrics?: Metrics
  strict?: boolean
  redeliverAfter?: number
  /** Times between requests to readers; for tests. */
  purgeTimes?: Partial<PurgeTimes>
  /** Times between requests to edges; for tests. */
  edgePurgeTimes?: Partial<EdgePurgeTimes>
}

/** Starts the publishing service: sites, what they show and to whom. */
export async function startPublishing(config: Config, parts: Parts): Promise<RunningService> {
  const { SITES_URL: sitesUrl } = config
  const visitedSites = createVisitedSites(sitesUrl)
  const counting = createCounting((db, counters) => addCounts(db, counters, config.INSIGHTS_COUNTERS))
  return startDatabaseService<BaseContext, Actor>({
    name: 'publishing',
    ...busSettings(config),
    secret: config.SIGNING_SECRET,
    database: publishingDatabase(config.DATABASE_URL_PUBLISHING, databaseLimits(config)),
    refused: refusedToMember('publishing'),
    api: compose<BaseContext>()(publishingApi, [
      siteFeature,
      siteSectionFeature,
      siteSectionGroupFeature,
      siteExternalLinkFeature,
      siteSpaceFeature,
      shareLinkFeature,
      siteMcpServerFeature,
      lookupFeature(visitedSites),
      visitorSignInFeature(visitedSites),
      publishedSiteFeature,
      customizationFeature,
      publishingAuthFeature,
      adaptiveSchemaFeature,
      redirectFeature,
      bulkRedirectFeature,
      redirectionFeature,
      siteSearchFeature,
      siteAskFeature,
      managementFeature,
      sitePermissionFeature,
      hostnameFeature,
      insightsFeature({ visitedSites, counting }),
      agentFeedbackFeature({ counting }),
    ]),
    calls: compose<BaseContext>()(publishingRpc, [
      publishingCallFeature(visitedSites),
      siteReaderCallFeature,
      defaultSiteCallFeature,
      siteAddressCallFeature(visitedSites),
      siteVisitCallFeature(visitedSites),
      siteSettingCallFeature,
    ]),
    build({ bus, db, transaction, listening }) {
      const openid = createOpenIdClient({ allow: config.OUTGOING_ALLOW })
      const own = { log: parts.log, openid, ...contextSettings(config), ...clientsOf(bus) }
      visitedSites.follow(bus)
      const purging = purgeJobs({ db, transaction }, config, parts)
      const checks = hostnameChecks({ db, transaction, ...checkOptions(config, parts) })
      const scheduler = startScheduler([...cleanups(db, config), checks.work, ...purging.works], parts.log, listening)
      return {
        context: base => ({ ...base, ...own }),
        events: { events: consumedEvents, handlers: eventHandlers(config) },
        stop: () => stopAll([scheduler, purging, checks, { stop: () => openid.close() }]),
      }
    },
    ...parts,
  })
}

function eventHandlers({ SITES_URL: sitesUrl }: Config) {
  return { ...contentEventHandlers(sitesUrl), ...specificationEventHandlers(), ...identityEventHandlers }
}

async function stopAll(works: { stop(): Promise<void> }[]): Promise<void> {
  await Promise.all(works.map(work => work.stop()))
}

function contextSettings(config: Config) {
  const { PUBLIC_URL: publicUrl, SITES_URL: sitesUrl, SIGNING_SECRET: signingSecret } = config
  const [readerUrl] = config.READER_URL
  return { publicUrl, sitesUrl, signingSecret, readerUrl, requiresProof: config.HOSTNAME_PROOF === 'dns' }
}

function clientsOf(bus: Bus) {
  return {
    content: busClient(bus, contentRpc, { service: 'content' }),
    gitWorker: busClient(bus, gitWorkerCalls, { service: 'git-worker' }),
    identity: busClient(bus, identityCalls, { service: 'identity' }),
    visits: busClient(bus, visitCalls, { service: 'identity' }),
    people: busClient(bus, peopleCalls, { service: 'identity' }),
  }
}

function purgeOptions(config: Config, { log, metrics, purgeTimes: times }: Parts) {
  const { READER_URL: readers, READER_SECRET: secret, READER_PURGE_HOURS: hours } = config
  return { readers, secret, log, metrics, times: { ...purgeTimes(hours), ...times } }
}

/** Purges of readers, and of the edges in front of them. */
function purgeJobs(database: { db: Db; transaction: RunTransaction }, config: Config, parts: Parts) {
  const { log, metrics, edgePurgeTimes: times } = parts
  const edges = { edges: edgesOf(config), log, metrics, times: { ...edgePurgeTimes, ...times } }
  const jobs = [
    readerPurgeJob({ ...database, ...purgeOptions(config, parts) }),
    edgePurgeJob({ ...database, ...edges }),
  ]
  return { works: jobs.flatMap(({ works }) => works), stop: () => stopAll(jobs) }
}

/** Works that delete what is kept for a time. */
function cleanups(db: Db, { INSIGHTS_DAYS: days }: Config): PeriodicWork[] {
  return [
    deletedSitesCleanup(db),
    counterRetentionJob(db, days),
    feedbackRetentionJob(db, days),
    visitorSessionsCleanup(db),
  ]
}

function checkOptions({ SITES_URL: sitesUrl, DNS_SERVERS: servers }: Config, { log }: Parts) {
  return { sitesUrl, log, resolveTxt: txtResolver(servers) }
}

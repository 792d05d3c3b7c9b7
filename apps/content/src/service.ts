import type { Actor } from '@recto/actor'
import { createBlobStore } from '@recto/blobs'
import { busClient } from '@recto/bus'
import { allEvents, api, calls, peopleCalls } from '@recto/contracts'
import { compose } from '@recto/operation'
import { startDatabaseService, type RunningService } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { contentDatabase } from './database.ts'
import { collectionFeature } from './features/collections/collections.handlers.ts'
import { gitFeature } from './features/git/git.handlers.ts'
import { lifecycleFeature } from './features/lifecycle/lifecycle.handlers.ts'
import { collectionPermissionFeature, spacePermissionFeature } from './features/permissions/permissions.handlers.ts'
import { linkFeature } from './features/links/links.handlers.ts'
import { readingFeature } from './features/reading/reading.handlers.ts'
import { searchFeature } from './features/search/search.handlers.ts'
import { spaceFeature } from './features/spaces/spaces.handlers.ts'
import { startJobs } from './jobs/jobs.ts'
import type { PurgeTimes } from './jobs/purge-schedule.ts'
import { accessCallFeature } from './rpc/access-calls.handlers.ts'
import { contentEventHandlers, projectorsOf } from './rpc/content-events.ts'
import { gitCallFeature } from './rpc/git-calls.handlers.ts'
import { identityEventHandlers } from './rpc/identity-events.ts'
import type { Config } from './shared/config.ts'
import type { BaseContext } from './shared/context.ts'

interface Parts {
  log: Log
  metrics?: Metrics
  strict?: boolean
  redeliverAfter?: number
  purge?: PurgeTimes
}

/** Starts the content service; the only file that composes features. */
export async function startContent(config: Config, parts: Parts): Promise<RunningService> {
  const blobs = createBlobStore({ url: config.BLOB_URL })
  const own = {
    publicUrl: config.PUBLIC_URL,
    signingSecret: config.SIGNING_SECRET,
    encryptionKey: config.ENCRYPTION_KEY,
    blobs,
  }
  const clients: { people?: BaseContext['people'] } = {}
  return startDatabaseService<BaseContext, Actor>({
    name: 'content',
    natsUrl: config.NATS_URL,
    database: contentDatabase(config.DATABASE_URL_CONTENT, config.DATABASE_POOL),
    api: compose<BaseContext>()(api.content, [
      spaceFeature,
      lifecycleFeature,
      collectionFeature,
      spacePermissionFeature,
      collectionPermissionFeature,
      readingFeature,
      searchFeature,
      linkFeature,
      gitFeature,
    ]),
    calls: compose<BaseContext>()(calls.content, [gitCallFeature, accessCallFeature]),
    events: { events: allEvents, handlers: { ...identityEventHandlers, ...contentEventHandlers(config.PUBLIC_URL) } },
    context: (base, { bus }) => ({
      ...base,
      ...own,
      cursorKey: () => `${config.SIGNING_SECRET}:${base.requestFingerprint()}`,
      people: (clients.people ??= busClient(bus, peopleCalls, { service: 'identity' })),
    }),
    background: async ({ db, transaction }) =>
      startJobs({ db, transaction, blobs, log: parts.log, projectors: projectorsOf(config.PUBLIC_URL) }, parts.purge),
    ...parts,
  })
}

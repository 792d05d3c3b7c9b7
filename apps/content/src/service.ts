import type { Actor } from '@recto/actor'
import { createBlobStore } from '@recto/blobs'
import { busClient } from '@recto/bus'
import { allEvents, api, calls, peopleCalls } from '@recto/contracts'
import { compose } from '@recto/operation'
import { startDatabaseService, type RunningService } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { cleanBlobs } from './store/garbage/blob-cleanup.ts'
import { collectionFeature } from './features/collections/collections.handlers.ts'
import type { Config } from './shared/config.ts'
import type { BaseContext } from './shared/context.ts'
import { contentDatabase } from './database.ts'
import { gitCallFeature } from './rpc/git-calls.handlers.ts'
import { gitFeature } from './features/git/git.handlers.ts'
import { watchOperations } from './features/git/expire-leases.ts'
import { accessCallFeature } from './rpc/access-calls.handlers.ts'
import { identityEventHandlers } from './rpc/identity-events.ts'
import { collectionPermissionFeature, spacePermissionFeature } from './features/permissions/permissions.handlers.ts'
import { lifecycleFeature } from './features/lifecycle/lifecycle.handlers.ts'
import { startPurge, type PurgeTimes } from './jobs/purge-schedule.ts'
import { contentFeature } from './features/reading/reading.handlers.ts'
import { spaceFeature } from './features/spaces/spaces.handlers.ts'

interface Parts {
  log: Log
  metrics?: Metrics
  strict?: boolean
  redeliverAfter?: number
  purge?: PurgeTimes
}

/** Starts content: spaces, collections, revisions, files and git operations. */
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
      contentFeature,
      gitFeature,
    ]),
    calls: compose<BaseContext>()(calls.content, [gitCallFeature, accessCallFeature]),
    events: { events: allEvents, handlers: identityEventHandlers },
    context: (base, { bus }) => ({
      ...base,
      ...own,
      cursorKey: () => `${config.SIGNING_SECRET}:${base.requestFingerprint()}`,
      people: (clients.people ??= busClient(bus, peopleCalls, { service: 'identity' })),
    }),
    background: async ({ db, transaction }) =>
      stopTogether([
        watchOperations({ db, transaction, log: parts.log }),
        cleanBlobs(blobs, parts.log),
        startPurge({ db, transaction, blobs, log: parts.log }, parts.purge),
      ]),
    ...parts,
  })
}

function stopTogether(work: { stop(): Promise<void> }[]): { stop(): Promise<void> } {
  return { stop: async () => void (await Promise.all(work.map(({ stop }) => stop()))) }
}

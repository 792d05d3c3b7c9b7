import { createBlobStore } from '@recto/blobs'
import { busClient } from '@recto/bus'
import { allEvents, api, calls, peopleCalls } from '@recto/contracts'
import { startDatabaseService, type RunningService } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { cleanBlobs } from './clean.ts'
import { collectionHandlers } from './collections/collections.handlers.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { contentDatabase } from './database.ts'
import { gitCallHandlers } from './git/git-calls.handlers.ts'
import { gitHandlers } from './git/git.handlers.ts'
import { watchOperations } from './git/watch.ts'
import { accessCallHandlers } from './grants/access-calls.handlers.ts'
import { identityEventHandlers } from './grants/identity-events.ts'
import { collectionPermissionHandlers, spacePermissionHandlers } from './permissions/permissions.handlers.ts'
import { lifecycleHandlers } from './lifecycle/lifecycle.handlers.ts'
import { startPurge, type PurgeTimes } from './purge/work.ts'
import { contentHandlers } from './revisions/content.handlers.ts'
import { spaceHandlers } from './spaces/spaces.handlers.ts'

interface Parts {
  log: Log
  metrics?: Metrics
  strict?: boolean
  tellAgain?: number
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
  const clients: { people?: Context['people'] } = {}
  return startDatabaseService<Context>({
    name: 'content',
    natsUrl: config.NATS_URL,
    database: contentDatabase(config.DATABASE_URL_CONTENT, config.DATABASE_POOL),
    api: {
      operations: api.content,
      handlers: {
        ...spaceHandlers,
        ...lifecycleHandlers,
        ...collectionHandlers,
        ...spacePermissionHandlers,
        ...collectionPermissionHandlers,
        ...contentHandlers,
        ...gitHandlers,
      },
    },
    calls: { operations: calls.content, handlers: { ...gitCallHandlers, ...accessCallHandlers } },
    events: { events: allEvents, handlers: identityEventHandlers },
    context: (base, { bus }) => ({
      ...base,
      ...own,
      cursorKey: () => `${config.SIGNING_SECRET}:${base.asked()}`,
      people: (clients.people ??= busClient(bus, peopleCalls, { service: 'identity' })),
    }),
    background: async ({ db }) =>
      stopTogether([
        watchOperations(db, parts.log),
        cleanBlobs(blobs, parts.log),
        startPurge({ db, blobs, log: parts.log }, parts.purge),
      ]),
    ...parts,
  })
}

function stopTogether(work: { stop(): Promise<void> }[]): { stop(): Promise<void> } {
  return { stop: async () => void (await Promise.all(work.map(({ stop }) => stop()))) }
}

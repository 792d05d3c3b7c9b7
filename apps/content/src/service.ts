import { createBlobStore } from '@recto/blobs'
import { api, calls } from '@recto/contracts'
import { startDatabaseService, type RunningService } from '@recto/service'
import type { Log, Metrics } from '@recto/telemetry'
import { cleanBlobs } from './clean.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { contentDatabase } from './database.ts'
import { gitCallHandlers } from './git/git-calls.handlers.ts'
import { gitHandlers } from './git/git.handlers.ts'
import { watchOperations } from './git/watch.ts'
import { contentHandlers } from './revisions/content.handlers.ts'
import { spaceHandlers } from './spaces/spaces.handlers.ts'

interface Parts {
  log: Log
  metrics?: Metrics
  strict?: boolean
  tellAgain?: number
}

/** Starts content: spaces, revisions, files and git operations. */
export async function startContent(config: Config, parts: Parts): Promise<RunningService> {
  const blobs = createBlobStore({ url: config.BLOB_URL })
  const own = { publicUrl: config.PUBLIC_URL, signingSecret: config.SIGNING_SECRET, encryptionKey: config.ENCRYPTION_KEY, blobs }
  return startDatabaseService<Context>({
    name: 'content',
    natsUrl: config.NATS_URL,
    database: contentDatabase(config.DATABASE_URL_CONTENT, config.DATABASE_POOL),
    api: { operations: api.content, handlers: { ...spaceHandlers, ...contentHandlers, ...gitHandlers } },
    calls: { operations: calls.content, handlers: gitCallHandlers },
    context: base => ({ ...base, ...own }),
    background: async ({ db }) => stopTogether([watchOperations(db, parts.log), cleanBlobs(blobs, parts.log)]),
    ...parts,
  })
}

function stopTogether(work: { stop(): Promise<void> }[]): { stop(): Promise<void> } {
  return { stop: async () => void (await Promise.all(work.map(({ stop }) => stop()))) }
}

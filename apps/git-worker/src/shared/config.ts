import { databaseServiceConfig, readConfig, secrets } from '@recto/service'
import { z } from 'zod'
import { defaultLimits } from '@recto/repository-content'

const megabyte = 1024 * 1024
/** A longer timer of Node fires at once. */
const maxTimerMs = 2 ** 31 - 1
const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback)

/** The variables of git-worker. */
export const settings = databaseServiceConfig.extend({
  DATABASE_URL_GIT_WORKER: z
    .string()
    .describe('The database of the service: `postgres://user:password@host:port/name`'),
  BLOB_URL: z.string().describe('Blob store, the same as of content'),
  ENCRYPTION_KEY: secrets(z.string().regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url')).describe(
    'Encrypts stored credentials of git and secrets of webhooks; 32 bytes in base64url, former values behind commas',
  ),
  CACHE_DIR: z
    .string()
    .describe('Folder of the clones, of this process alone; may be emptied when the worker is stopped'),
  OUTGOING_ALLOW: z
    .string()
    .default('')
    .describe('Private addresses that may be reached, by commas: hosts, host:port and CIDR blocks; none unless named'),
  GIT_CONCURRENCY: count(4).describe(
    'Git operations at once in one process, of which one organization has at most half',
  ),
  GIT_ORGANIZATION_JOBS: count(16).describe(
    'Git operations of one organization that all workers run or are about to run',
  ),
  GIT_SILENCE: count(20_000).describe('Milliseconds that a git server may be silent'),
  GIT_TIMEOUT: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxTimerMs)
    .default(defaultLimits.jobTimeoutMs)
    .describe('Milliseconds for one git operation, with its retries'),
  GIT_CACHE_MAX_BYTES: count(2_048 * megabyte).describe('Bytes of CACHE_DIR'),
  GIT_MAX_PACK: count(defaultLimits.maxPack).describe('Bytes of the pack that a git server sends'),
  GIT_MAX_FILE: count(defaultLimits.maxFile).describe('Bytes of one file of a repository'),
  GIT_MAX_PAGE_BYTES: count(defaultLimits.maxPageBytes).describe('Bytes of one page of a repository'),
  GIT_MAX_FILES: count(defaultLimits.maxFiles).describe('Files of one import'),
  GIT_MAX_PAGES: count(defaultLimits.maxPages).describe('Pages of one import'),
})

/** Settings of git-worker. */
export type Config = z.output<typeof settings>

/** Reads the settings from the environment, or from `env` in tests. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(settings, env)

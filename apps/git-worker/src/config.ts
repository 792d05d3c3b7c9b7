import { commonConfig, readConfig } from '@recto/service'
import { z } from 'zod'
import { defaultLimits } from './failures/limits.ts'

const megabyte = 1024 * 1024
/** A timer of Node that is longer fires at once. */
const longestTimer = 2 ** 31 - 1
const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback)

const schema = commonConfig.extend({
  BLOB_URL: z.string(),
  CACHE_DIR: z
    .string()
    .describe('Folder of the clones, of this process alone; may be emptied when the worker is stopped'),
  OUTGOING_ALLOW: z
    .string()
    .default('')
    .describe('Hosts, host:port and CIDR blocks that may be reached although they are not public'),
  GIT_CONCURRENCY: count(4).describe(
    'Operations at once in one process; one organization has at most half of these places',
  ),
  GIT_SILENCE: count(20_000).describe('Milliseconds that a git server may be silent'),
  GIT_TIMEOUT: z.coerce
    .number()
    .int()
    .min(1)
    .max(longestTimer)
    .default(defaultLimits.jobTimeoutMs)
    .describe('Milliseconds for one operation, with its repetitions'),
  GIT_CACHE_MAX_BYTES: count(2_048 * megabyte),
  GIT_MAX_PACK: count(defaultLimits.maxPack).describe('Bytes'),
  GIT_MAX_FILE: count(defaultLimits.maxFile).describe('Bytes'),
  GIT_MAX_PAGE_BYTES: count(defaultLimits.maxPageBytes),
  GIT_MAX_FILES: count(defaultLimits.maxFiles),
  GIT_MAX_PAGES: count(defaultLimits.maxPages),
})

/** Settings of git-worker. */
export type Config = z.output<typeof schema>

export const config = (): Config => readConfig(schema)

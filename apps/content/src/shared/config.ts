import { databaseServiceConfig, readConfig, secrets } from '@recto/service'
import { z } from 'zod'

const megabyte = 1024 * 1024
const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback)

const settings = databaseServiceConfig.extend({
  DATABASE_URL_CONTENT: z.string(),
  BLOB_URL: z.string(),
  ENCRYPTION_KEY: secrets(z.string().regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url')).describe(
    'Encrypts credentials at rest',
  ),
  OUTGOING_ALLOW: z
    .string()
    .default('')
    .describe('Hosts, host:port and CIDR blocks that may be reached although they are not public'),
  GIT_MAX_FILE: count(100 * megabyte).describe('Bytes of one file'),
  GIT_ORGANIZATION_JOBS: count(16).describe(
    'Git operations of one organization at work or about to be, in all workers',
  ),
  IMPORT_MAX_BYTES: count(100 * megabyte).describe('Bytes of one import, after decompression'),
  IMPORT_MAX_FILES: count(1_000).describe('Pages and files of one import'),
  IMPORT_MAX_PAGE_BYTES: count(10 * megabyte).describe('Bytes of the source of one page'),
  IMPORT_TIMEOUT: count(600_000).describe('Milliseconds for one import'),
  IMPORT_WAIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(60_000)
    .default(50_000)
    .describe('Milliseconds that a request waits for its import, which then goes on'),
  IMPORT_CONCURRENCY: count(2).describe('Imports at once in one process'),
  PDF_MAX_PAGES: count(5_000).describe('Sheets of one PDF'),
  PDF_MAX_IMAGE: count(20 * megabyte).describe('Bytes of one picture in a PDF, and a tenth of those of all of them'),
  PDF_TIMEOUT: count(180_000).describe('Milliseconds for one PDF'),
  PDF_FONTS: z
    .string()
    .default('')
    .transform(paths =>
      paths
        .split(',')
        .map(path => path.trim())
        .filter(Boolean),
    )
    .describe('Font files besides the installed ones, by commas; `path#name` names a font of a collection'),
  TRANSLATION_ENGINE: z
    .enum(['libretranslate', 'deepl', 'openai'])
    .optional()
    .describe('What the translation engine speaks; without it, translations do not run'),
  TRANSLATION_ENGINE_URL: z
    .url({ protocol: /^https?$/ })
    .transform(url => url.replace(/\/+$/, ''))
    .optional()
    .describe('Base of its addresses; it may be on a private network'),
  TRANSLATION_ENGINE_KEY: z.string().optional(),
  TRANSLATION_ENGINE_MODEL: z.string().optional().describe('The model of an openai engine'),
  TRANSLATION_MAX_SEGMENTS: count(50_000).describe('Texts that one run sends at most'),
  TRANSLATION_MAX_CHARACTERS: count(2_000_000).describe('Characters that one run sends at most'),
  TRANSLATION_REQUEST_TIMEOUT: count(60_000).describe('Milliseconds for one request to the engine'),
  TRANSLATION_RETRY_DELAY: count(1_000).describe('Milliseconds before a request is repeated; it doubles each time'),
  TRANSLATION_TIMEOUT: count(6 * 3_600_000).describe('Milliseconds for one run'),
  TRANSLATION_FOLLOW_AFTER: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Milliseconds without a change of a source after which its translations run; only on request without it'),
  TRANSLATION_CONCURRENCY: count(2).describe('Runs of translations at once in one process'),
})

/** An engine needs an address, and one of the kind openai a model. */
const schema = settings.superRefine((given, { addIssue }) => {
  const { TRANSLATION_ENGINE: engine, TRANSLATION_ENGINE_URL: url, TRANSLATION_ENGINE_MODEL: model } = given
  const missing = (name: string) => addIssue({ code: 'custom', path: [name], message: `must be set for ${engine}` })
  if (engine !== undefined && url === undefined) missing('TRANSLATION_ENGINE_URL')
  if (engine === 'openai' && model === undefined) missing('TRANSLATION_ENGINE_MODEL')
})

/** Settings of the content service. */
export type Config = z.output<typeof schema>

/** Reads the settings from the environment, or from `env` in tests. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(schema, env)

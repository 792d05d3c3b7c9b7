import { databaseServiceConfig, readConfig, webAddress } from '@recto/service'
import { z } from 'zod'

const megabyte = 1024 * 1024
const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback)

/** The variables of the content service. */
export const settings = databaseServiceConfig.extend({
  DATABASE_URL_CONTENT: z.string().describe('The database of the service: `postgres://user:password@host:port/name`'),
  BLOB_URL: z.string().describe('Blob store: `file:///folder`, or `s3://bucket/prefix?region=…&endpoint=…`'),
  OUTGOING_ALLOW: z
    .string()
    .default('')
    .describe('Private addresses that may be reached, by commas: hosts, host:port and CIDR blocks; none unless named'),
  GIT_MAX_FILE: count(100 * megabyte).describe('Bytes of one uploaded file'),
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
    .describe('Milliseconds that a request waits for its import; the import goes on after that'),
  IMPORT_CONCURRENCY: count(2).describe('Imports at once in one process'),
  PDF_MAX_PAGES: count(5_000).describe('Pages of one PDF'),
  PDF_MAX_IMAGE: count(20 * megabyte).describe(
    'Bytes of one picture in a PDF; all pictures may have ten times as many',
  ),
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
    .describe(
      'Font files besides the installed ones, by commas; `path#name` names a font of a collection. Chinese, Japanese and Korean fonts are optional packages',
    ),
  TRANSLATION_ENGINE: z
    .enum(['libretranslate', 'deepl', 'openai'])
    .optional()
    .describe('Protocol of the translation engine; translations do not run without it'),
  TRANSLATION_ENGINE_URL: webAddress
    .optional()
    .describe('Base URL of the translation engine, which may be on a private network'),
  TRANSLATION_ENGINE_KEY: z.string().optional().describe('API key of the translation engine'),
  TRANSLATION_ENGINE_MODEL: z.string().optional().describe('Model of an engine of the kind openai, which needs one'),
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
    .describe(
      'Milliseconds without a change of a source after which its translations run; without it they run on request only',
    ),
  TRANSLATION_CONCURRENCY: count(2).describe('Runs of translations at once in one process'),
  ASK_ENGINE_URL: webAddress
    .optional()
    .describe(
      'Base URL of the chat endpoint that answers questions, with its version; it may be on a private network. There are no answers without it',
    ),
  ASK_ENGINE_KEY: z.string().optional().describe('API key of the chat endpoint'),
  ASK_ENGINE_MODEL: z.string().optional().describe('Model of the chat endpoint, which needs one'),
  ASK_RETRY_DELAY: count(500).describe('Milliseconds before a question is sent again; it doubles each time'),
  ASK_TIMEOUT: z.coerce.number().int().min(1).max(110_000).default(60_000).describe('Milliseconds for one answer'),
  ASK_TOOL_TIMEOUT: z.coerce
    .number()
    .int()
    .min(1)
    .max(60_000)
    .default(10_000)
    .describe('Milliseconds to connect to an MCP server of a site, and for each call of its tools'),
  ASK_MAX_ANSWER: count(1_000).describe('Tokens of one answer'),
  ASK_MAX_QUESTIONS: count(1_000).describe('Questions of an organization on one day'),
  ASK_MAX_TOKENS: z.coerce
    .number()
    .int()
    .min(1)
    .max(2_000_000_000)
    .default(5_000_000)
    .describe('Tokens of the questions and answers of an organization on one day'),
  ASK_CONCURRENCY: count(8).describe('Questions of an organization at a time'),
})

/** Requires the address of an engine, and a model where the engine needs one. */
const schema = settings.superRefine((values, { addIssue }) => {
  const { TRANSLATION_ENGINE: engine, TRANSLATION_ENGINE_URL: url, TRANSLATION_ENGINE_MODEL: model } = values
  const addMissing = (name: string) => addIssue({ code: 'custom', path: [name], message: `must be set for ${engine}` })
  if (engine !== undefined && url === undefined) addMissing('TRANSLATION_ENGINE_URL')
  if (engine === 'openai' && model === undefined) addMissing('TRANSLATION_ENGINE_MODEL')
  if (values.ASK_ENGINE_URL !== undefined && values.ASK_ENGINE_MODEL === undefined)
    addIssue({ code: 'custom', path: ['ASK_ENGINE_MODEL'], message: 'must be set with ASK_ENGINE_URL' })
})

/** Settings of the content service. */
export type Config = z.output<typeof schema>

/** Reads the settings from the environment, or from `env` in tests. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(schema, env)

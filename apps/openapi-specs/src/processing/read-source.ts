import { type WorkerPool, WorkerFailure } from '@recto/worker-pool'
import type { Outline } from '../versions/outline.rules.ts'
import type { SpecError, SpecRow } from '../specs/spec.entity.ts'
import type { Validators } from '../specs/specs.rules.ts'
import { FetchFailure, type FetchedText, type TextRequest } from './fetch-text.ts'
import type { Reading, SpecificationTexts } from './read-specification.ts'

/** The tasks of the worker threads. */
export interface SpecificationTasks {
  readSpecification(texts: SpecificationTexts): Promise<Reading>
}

/** The tools for reading a source. */
export interface ReadingTools {
  fetchText(request: TextRequest): Promise<FetchedText | undefined>
  pool: WorkerPool<SpecificationTasks>
  maxBytes: number
  maxFiles: number
}

/** A source as it is now. `unchanged` says that the server has the same as last time. */
export type SourceReading =
  | { kind: 'document'; raw: string; json: string; outline: Outline; validators: Validators }
  | { kind: 'unchanged' }
  | { kind: 'failure'; code: NonNullable<SpecRow['errorCode']>; errors: SpecError[] }

/** Where a specification is, and what is known of its last version. */
export type Source = Pick<SpecRow, 'sourceUrl' | 'etag' | 'lastModified' | 'lastVersion'>

const noValidators: Validators = { etag: null, lastModified: null }

/** Reads a specification from its source, with everything that it refers to. Throws the reason of the signal only. */
export async function readSource(
  spec: Source,
  text: string | undefined,
  { tools, signal }: { tools: ReadingTools; signal: AbortSignal },
): Promise<SourceReading> {
  try {
    const start = await fetchStart(spec, text, { tools, signal })
    return start ? await readFrom(start, { tools, signal }) : { kind: 'unchanged' }
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'failure', ...failureOf(error) }
  }
}

async function fetchStart(
  { sourceUrl, etag, lastModified, lastVersion }: Source,
  text: string | undefined,
  { tools, signal }: { tools: ReadingTools; signal: AbortSignal },
): Promise<FetchedText | undefined> {
  if (sourceUrl === null) return { text: text ?? '', url: '', ...noValidators }
  const validators = lastVersion === null ? noValidators : { etag, lastModified }
  return tools.fetchText({ url: sourceUrl, validators, maxBytes: tools.maxBytes, signal })
}

async function readFrom(
  { text, url: entry, ...validators }: FetchedText,
  { tools, signal }: { tools: ReadingTools; signal: AbortSignal },
): Promise<SourceReading> {
  const { pool, maxBytes, maxFiles } = tools
  const texts: Record<string, string> = { [entry]: text }
  let left = maxBytes - Buffer.byteLength(text)
  for (;;) {
    const reading = await pool.run('readSpecification', { entry, texts, maxBytes: 4 * maxBytes }, { signal })
    if (reading.kind === 'invalid') return { kind: 'failure', code: 'PARSE_ERROR', errors: reading.errors }
    if (reading.kind === 'document') {
      const isAlone = Object.keys(texts).length === 1
      // Other files may change while the first one stays the same.
      const { json, outline } = reading
      return { kind: 'document', raw: text, json, outline, validators: isAlone ? validators : noValidators }
    }
    if (Object.keys(texts).length + reading.urls.length > maxFiles)
      throw new FetchFailure('FETCH_ERROR', 'TOO_LARGE', `The specification has more than ${maxFiles} files`)
    for (const url of reading.urls) {
      const fetched = await tools.fetchText({ url, maxBytes: left, signal })
      texts[url] = fetched?.text ?? ''
      left -= Buffer.byteLength(texts[url])
    }
  }
}

function failureOf(error: unknown): { code: NonNullable<SpecRow['errorCode']>; errors: SpecError[] } {
  if (error instanceof FetchFailure)
    return { code: error.code, errors: [{ code: error.detail, message: error.message }] }
  if (error instanceof WorkerFailure) {
    const messages = {
      timeout: 'Reading the specification takes too long',
      memory: 'Reading the specification needs too much memory',
      depth: 'The specification is nested too deeply',
      closed: 'Reading the specification was interrupted',
    }
    return { code: 'PARSE_ERROR', errors: [{ code: error.reason.toUpperCase(), message: messages[error.reason] }] }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'PARSE_ERROR', errors: [{ code: 'INVALID_SPECIFICATION', message }] }
}

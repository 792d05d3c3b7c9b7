import type { SpecificationReading } from '@recto/contracts-openapi-specs-bus'
import type { z } from 'zod'
import { withoutUrlSecrets } from '../specs/sources.rules.ts'
import { readSource, type ReadingTools } from './read-source.ts'

const reasons = { PARSE_ERROR: 'invalid', FETCH_TIMEOUT: 'timeout', FETCH_ERROR: 'unreachable' } as const

/** Reads the specification that a URL names, with what it refers to, and keeps nothing of it. */
export async function readUrl(
  url: string,
  reading: { tools: ReadingTools; signal: AbortSignal },
): Promise<z.output<typeof SpecificationReading>> {
  const source = { sourceUrl: url, etag: null, lastModified: null, lastVersion: null }
  const read = await readSource(source, undefined, reading)
  if (read.kind === 'document') return { kind: 'outline', outline: read.outline }
  // Nothing is known of an earlier version that the server could compare with.
  if (read.kind === 'unchanged') return { kind: 'failure', reason: 'unreachable', message: 'The server sent nothing' }
  const message = read.errors.map(error => withoutUrlSecrets(error.message)).join('; ')
  return { kind: 'failure', reason: reasons[read.code], message: message || 'The specification cannot be read' }
}

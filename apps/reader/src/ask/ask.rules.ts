import { unknownAnswer } from '@recto/contracts-shared'
import type { JSONDocument } from '@recto/markdown/schema'
import { isForeignOrigin } from '@recto/mcp'
import { plainText } from '../blocks/model/plain-text.ts'

type Headers = Readonly<Record<string, string | undefined>>

/** The question of a form: one line, without spaces at its ends. */
export function questionIn(form: URLSearchParams): string {
  return (form.get('q') ?? '').replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
}

/**
 * Whether a page of the site sent a form, or a program that is no browser. Browsers say so in `Sec-Fetch-Site` (Fetch Metadata); older ones,
 * and those without https, in `Origin`.
 */
export function isFromOwnPage(headers: Headers, origins: readonly string[]): boolean {
  const from = headers['sec-fetch-site']
  return from === undefined ? !isForeignOrigin(headers['origin'], origins) : ['same-origin', 'none'].includes(from)
}

/** Whether a browser loads a page that nobody has opened yet. */
export function isPrefetch(headers: Headers): boolean {
  return /prefetch|prerender|preview/i.test(`${headers['sec-purpose'] ?? ''} ${headers['purpose'] ?? ''}`)
}

/** Whether an answer of the API says, in its language, that no page answers. */
export function isUnknown({ nodes }: Pick<JSONDocument, 'nodes'>): boolean {
  return plainText(nodes) === unknownAnswer
}

/** The message for a refusal of the API, by its status, and the status of the page that says so. */
export function faultOf(status: number): { text: 'askOff' | 'askTooMany' | 'askFailed'; status: number } {
  if (status === 409) return { text: 'askOff', status }
  if (status === 429) return { text: 'askTooMany', status }
  return { text: 'askFailed', status: 503 }
}

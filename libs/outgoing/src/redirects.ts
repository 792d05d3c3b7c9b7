import type { Readable } from 'node:stream'
import { parseTarget } from './destination.ts'
import { OutgoingFailure } from './outgoing-failure.ts'

/** Headers of requests and replies, by lower-case name. */
export type OutgoingHeaders = Record<string, string>

/** The body of a request. */
export type OutgoingBody = string | Uint8Array | (() => Readable)

/** One exchange on the wire, before redirects are followed. */
export interface Hop {
  url: URL
  method: string
  headers: OutgoingHeaders
  body: OutgoingBody | undefined
}

const redirects = new Set([301, 302, 303, 307, 308])
const secrets = new Set(['authorization', 'proxy-authorization', 'cookie'])

/** The next hop of a redirect, or undefined when the reply is final. Credentials stay with their origin, and https never becomes http. */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!redirects.has(status) || location === undefined) return undefined
  const url = parseTarget(location, hop.url)
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new OutgoingFailure('redirects', `The host ${hop.url.hostname} redirects from https to http`)
  }
  const headers = url.origin === hop.url.origin ? hop.headers : without(hop.headers, secrets)
  if (!becomesGet(hop.method, status)) return { ...hop, url, headers }
  return { url, method: 'GET', headers: without(headers, new Set(['content-type', 'content-length'])), body: undefined }
}

function becomesGet(method: string, status: number): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return status === 303 || (method === 'POST' && (status === 301 || status === 302))
}

function without(headers: OutgoingHeaders, names: Set<string>): OutgoingHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())))
}

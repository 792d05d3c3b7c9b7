import { hiddenHeaderValue } from '@recto/contracts-publishing'
import { fieldFault } from '@recto/operation'
import type { Headers } from './sealed-headers.ts'

/** The headers as replies have them: nobody reads a value again. */
export function hideValues(headers: Headers): Headers {
  return Object.fromEntries(Object.keys(headers).map(name => [name, hiddenHeaderValue]))
}

/** A server as far as it decides where its headers go. */
interface Addressed {
  url: string
  headers: Headers
}

/**
 * The headers of a server after a change. Hidden values stand for those that are stored. Throws `invalid_request`, naming the field, for
 * one that is not stored, and for headers that would go to another origin than the one they were given for.
 */
export function changedHeaders(before: Addressed | undefined, change: { url?: string; headers?: Headers }): Headers {
  const { headers: stored = {} } = before ?? {}
  const moves = before !== undefined && change.url !== undefined && originOf(change.url) !== originOf(before.url)
  if (!change.headers) {
    if (moves && Object.keys(stored).length > 0)
      throw fieldFault('body.headers', 'must be given anew with a URL of another origin')
    return stored
  }
  const values = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]))
  const entries = Object.entries(change.headers).map(([name, value]): [string, string] => {
    if (value !== hiddenHeaderValue) return [name, value]
    const storedValue = values.get(name.toLowerCase())
    if (storedValue === undefined) throw fieldFault(`body.headers.${name}`, 'must have a value, since none is stored')
    if (moves) throw fieldFault(`body.headers.${name}`, 'must be given anew with a URL of another origin')
    return [name, storedValue]
  })
  return Object.fromEntries(entries)
}

function originOf(url: string): string {
  return new URL(url).origin
}

import { Failure } from '@recto/operation'
import fresh from 'fresh'

/** Thrown by `RequestMeta.setETag` when the client has the current representation; the reply is 304. */
export class NotModified extends Error {
  override readonly name = 'NotModified'
  /** The entity tag with its quotes. */
  readonly etag: string

  constructor(etag: string) {
    super('The client has the current representation')
    this.etag = etag
  }
}

/** Quotes an opaque tag as an entity tag, a strong one unless told otherwise (RFC 9110, section 8.8.3). */
export function entityTag(opaque: string, { isWeak = false } = {}): string {
  return `${isWeak ? 'W/' : ''}"${opaque}"`
}

/** Whether an `If-None-Match` names an entity tag, by weak comparison, or is `*` (RFC 9110, section 13.1.2). */
export function noneMatchNames(condition: string, etag: string): boolean {
  return fresh({ 'if-none-match': condition.trim() }, { etag })
}

/**
 * The opaque tags of an `If-Match`, weak ones too, or undefined when it is absent or `*`, which any current representation meets. Throws
 * `invalid_request` for a value without an entity tag.
 */
export function ifMatchTags(condition: string | undefined): string[] | undefined {
  if (condition === undefined || condition.trim() === '*') return undefined
  const tags = opaqueTags(condition)
  if (tags.length > 0) return tags
  const message = 'must be * or entity tags in double quotes'
  throw new Failure('invalid_request', `If-Match ${message}`, { details: [{ path: 'headers.If-Match', message }] })
}

function opaqueTags(condition: string): string[] {
  return Array.from(condition.matchAll(/"([^"]*)"/g), ([, tag = '']) => tag)
}

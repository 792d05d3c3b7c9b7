import { createHash } from 'node:crypto'
import { Failure } from '@recto/operation'

const hour = 3_600_000

/**
 * The opaque entity tag of content that is read from a revision. Replies from one revision differ between builds, and each hour, when
 * new download URLs are signed.
 */
export function contentTag(revision: string, { build, now }: { build: string; now: Date }): string {
  const variant = createHash('sha256')
    .update(`${build}:${Math.floor(now.getTime() / hour)}`)
    .digest('hex')
  return `${revision}.${variant.slice(0, 8)}`
}

/** Throws `precondition_failed` with the current entity tag unless one of the expected tags of a write is of the revision. */
export function requireRevision(
  revision: string,
  { expected, build }: { expected: string[] | undefined; build: string },
): void {
  if (!expected || expected.some(tag => revisionOf(tag) === revision)) return
  throw new Failure('precondition_failed', `The content has changed: its revision is ${revision} now`, {
    etag: `"${contentTag(revision, { build, now: new Date() })}"`,
    details: [{ path: 'headers.If-Match', message: 'does not name the current revision' }],
  })
}

function revisionOf(tag: string): string {
  return tag.split('.', 1)[0] ?? ''
}

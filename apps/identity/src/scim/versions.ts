import { entityTag } from '@recto/bus'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'

/** Throws `precondition_failed` when the request expects another version of a resource than this one. */
export function requireVersion(context: Pick<Context, 'ifMatch'>, version: string): void {
  const expected = context.ifMatch()
  if (!expected || expected.includes(version)) return
  throw new Failure('precondition_failed', 'The resource has changed since the version that If-Match names', {
    etag: entityTag(version, { isWeak: true }),
  })
}

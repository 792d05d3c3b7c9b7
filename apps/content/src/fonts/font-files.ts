import { fontLimits } from '@recto/contracts-content'
import { Failure, fieldFault } from '@recto/operation'
import { buffer } from 'node:stream/consumers'
import type { Context } from '../shared/context.ts'
import * as uploads from '../uploads/uploads.repository.ts'
import { uploadFault } from '../uploads/uploads.rules.ts'
import { type FaceChange, fontFormat } from './fonts.rules.ts'

/** Bytes of a file that say what it is. */
const signatureBytes = 4

interface RequestedFace {
  weight: number
  storageKey: string | null
}

/** The files of uploads of the caller. Throws, naming the field, `conflict` for a key that is none, and `invalid_request` for a file that is no font or too large. */
export async function readFaces(
  organizationId: string,
  faces: readonly RequestedFace[],
  context: Context,
): Promise<FaceChange[]> {
  const changes: FaceChange[] = []
  for (const [at, { weight, storageKey }] of faces.entries()) {
    const field = `body.fontFaces.${at}.storageKey`
    const file = storageKey === null ? null : await readFile(storageKey, { organizationId, field }, context)
    changes.push({ weight, file })
  }
  return changes
}

async function readFile(
  key: string,
  { organizationId, field }: { organizationId: string; field: string },
  { actor, db, blobs }: Context,
): Promise<NonNullable<FaceChange['file']>> {
  const upload = await uploads.find(db, key)
  const fault = uploadFault(upload, { userId: actor.userId, organizationId, now: new Date() })
  if (fault !== undefined || !upload?.hash) throw fieldFault(field, fault ?? 'is not complete', 'conflict')
  const { hash, size } = upload
  if (size > fontLimits.bytes) throw fieldFault(field, `must be a file of at most ${fontLimits.bytes} bytes`)
  const { body } = await blobs.get(hash, size > signatureBytes ? { start: 0, end: signatureBytes - 1 } : undefined)
  const format = fontFormat(await buffer(body))
  if (!format) throw fieldFault(field, 'must be a WOFF 2 or WOFF file')
  return { hash, format }
}

/** Throws `unavailable` when a file is gone; the caller holds the lock of content, without which the sweep of garbage could free it. */
export async function requireFiles(
  faces: readonly { hash: string }[],
  { blobs }: Pick<Context, 'blobs'>,
): Promise<void> {
  for (const { hash } of faces)
    if (!(await blobs.has(hash))) throw new Failure('unavailable', 'A file was freed meanwhile', { retryAfter: 1 })
}

import { expect, it } from '@jest/globals'
import type { UploadRow } from './upload.entity.ts'
import { uploadFault } from './uploads.rules.ts'

const now = new Date('2026-01-02T00:00:00.000Z')
const later = new Date(now.getTime() + 1)
const use = { userId: 'ana', organizationId: 'org', now }
const upload: UploadRow = {
  id: 'u',
  organizationId: 'org',
  createdBy: 'ana',
  name: 'a.pdf',
  contentType: '',
  size: 1,
  hash: '0'.repeat(64),
  createdAt: now,
  expiresAt: later,
}
const unknown = 'is no upload of yours in this organization, or has expired'

it.each<[string, UploadRow | undefined, string | undefined]>([
  ['complete', upload, undefined],
  ['not complete', { ...upload, hash: null }, 'is not complete: its bytes were not sent'],
  ['expired', { ...upload, expiresAt: now }, unknown],
  ['of another user', { ...upload, createdBy: 'bob' }, unknown],
  ['of another organization', { ...upload, organizationId: 'other' }, unknown],
  ['of another user, and not complete', { ...upload, createdBy: 'bob', hash: null }, unknown],
  ['missing', undefined, unknown],
])('An upload that is %s has its fault, or none', (_which, row, fault) => expect(uploadFault(row, use)).toBe(fault))

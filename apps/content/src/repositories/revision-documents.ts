import { isUtf8 } from 'node:buffer'
import type { repositories } from '@recto/contracts-content'
import type { Db } from '@recto/database'
import { Failure, type Output } from '@recto/operation'
import { documentBytes } from '../content-store/content.repository.ts'
import { loadPageIndex, loadReusableContents } from '../pages/revision-index.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'

/** Size at which a reply or a bundle is full, in bytes. */
const maxBytes = 4 * 1024 * 1024

/** Reads the first documents of a list, up to a size, and one at least. Throws `not_found` for one that is not stored. */
export async function readFirstDocuments(db: Db, hashes: string[]): Promise<Buffer[]> {
  const documents: Buffer[] = []
  for (let size = 0; documents.length < hashes.length && size < maxBytes;) {
    const bytes = await documentBytes(db, hashes[documents.length] ?? '')
    if (!bytes) throw new Failure('not_found', 'There is no such document')
    // The first document comes whatever its size is.
    if (documents.length > 0 && size + bytes.length > maxBytes) break
    documents.push(bytes)
    size += bytes.length
  }
  return documents
}

type Documents = Output<typeof repositories.listRevisionDocuments>['documents']

/** Reads the first documents of a list, up to a size. Throws `not_found` when the revision lacks one of the list. */
export async function readDocuments(db: Db, revision: RevisionRow, hashes: string[]): Promise<Documents> {
  const pages = await loadPageIndex(db, revision)
  const reusableContents = await loadReusableContents(db, revision.reusableRoot)
  const ofRevision = new Set([...pages.inOrder(), ...reusableContents].map(({ document }) => document))
  if (!hashes.every(hash => ofRevision.has(hash))) throw new Failure('not_found', 'There is no such document')
  const documents = await readFirstDocuments(db, hashes)
  return documents.map((bytes, index) => ({ id: hashes[index] ?? '', ...presentBytes(bytes) }))
}

/** Bytes as a text where they are one. */
function presentBytes(bytes: Buffer): { text: string } | { base64: string } {
  return isUtf8(bytes) ? { text: bytes.toString() } : { base64: bytes.toString('base64') }
}

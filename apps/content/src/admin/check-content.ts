import type { BlobStore } from '@recto/blobs'
import type { Db } from '@recto/database'
import { emptyRoot, parseNode } from '../content-map/content-map.ts'
import * as fonts from '../fonts/fonts.repository.ts'
import { listAllGarbage, markGarbage } from '../garbage/garbage.repository.ts'
import { referencesOf, type ContentKind, type ContentRef } from '../garbage/garbage.rules.ts'
import * as stored from '../content-store/stored-content.repository.ts'
import * as pdfs from '../pdf/pdfs.repository.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import * as uploads from '../uploads/uploads.repository.ts'

/** Hashes by the kind of their content. */
type Hashes = Record<ContentKind, Set<string>>

/** The hashes of stored content, of content that stored content names, and of garbage. */
export interface ContentState {
  stored: Hashes
  named: Hashes
  garbage: Hashes
}

/** Content that is named and missing, and content that is stored, unnamed and not marked as garbage. */
export interface ContentFaults {
  missing: ContentRef[]
  unnamed: ContentRef[]
}

const kinds = ['node', 'document', 'blob'] as const
const noHashes = (): Hashes => ({ node: new Set(), document: new Set(), blob: new Set() })

/** Reads the hashes of stored content, and of content that revisions, nodes, uploads, fonts and PDFs name. */
export async function readContentState(db: Db, blobs: BlobStore): Promise<ContentState> {
  const state: ContentState = { stored: noHashes(), named: noHashes(), garbage: noHashes() }
  for (const { kind, hash } of await listAllGarbage(db)) state.garbage[kind].add(hash)
  for await (const { hash, body } of stored.allNodes(db)) {
    state.stored.node.add(hash)
    for (const reference of referencesOf(parseNode(body))) state.named[reference.kind].add(reference.hash)
  }
  for (const root of await revisions.allRoots(db)) state.named.node.add(root)
  for (const hash of await uploads.heldBlobs(db)) state.named.blob.add(hash)
  for (const hash of await fonts.heldBlobs(db)) state.named.blob.add(hash)
  for (const hash of await pdfs.heldBlobs(db)) state.named.blob.add(hash)
  for (const hash of await stored.documentHashes(db)) state.stored.document.add(hash)
  for await (const hash of blobs.list()) state.stored.blob.add(hash)
  return state
}

/** Compares named with stored content. */
export function findFaults({ stored, named, garbage }: ContentState): ContentFaults {
  const subtract = (these: Hashes, ...others: Hashes[]): ContentRef[] =>
    kinds.flatMap(kind =>
      [...these[kind]].filter(hash => !others.some(those => those[kind].has(hash))).map(hash => ({ kind, hash })),
    )
  // The empty map needs no name, and is readable without being stored.
  const empty = { ...noHashes(), node: new Set([emptyRoot]) }
  return { missing: subtract(named, stored), unnamed: subtract(stored, named, garbage, empty) }
}

/** Finds the referrers of missing content: revisions, as `<space>/<revision>`, `PDF`, `upload` and `font`. */
export async function findReferrers(db: Db, hash: string): Promise<string[]> {
  const names = (await revisionsReferring(db, hash)).map(({ id, spaceId }) => `${spaceId}/${id}`)
  if (await pdfs.holdsBlob(db, hash)) names.push('PDF')
  if (await uploads.holdsBlob(db, hash)) names.push('upload')
  if (await fonts.holdsBlob(db, hash)) names.push('font')
  return names
}

async function revisionsReferring(db: Db, hash: string): Promise<{ id: string; spaceId: string }[]> {
  const hashes = new Set<string>()
  for (let level = [hash]; level.length > 0;) {
    for (const each of level) hashes.add(each)
    level = (await stored.findNodesNaming(db, level)).filter(node => !hashes.has(node))
  }
  return revisions.findWithRoot(db, [...hashes])
}

/** Marks unnamed content as garbage: a sweep frees it after an hour, if it is still unreferenced. */
export async function markUnnamed(db: Db, unnamed: readonly ContentRef[], now: Date): Promise<void> {
  const batch = 5_000
  for (let start = 0; start < unnamed.length; start += batch)
    await markGarbage(db, unnamed.slice(start, start + batch), now)
}

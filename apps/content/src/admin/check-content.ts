import type { BlobStore } from '@recto/blobs'
import type { Db } from '@recto/database'
import { emptyRoot, parseNode } from '../content-map/content-map.ts'
import { markedContent, markGarbage } from '../garbage/garbage.repository.ts'
import { referencesOf, type ContentKind, type ContentRef } from '../garbage/garbage.rules.ts'
import * as stored from '../content-store/stored-content.repository.ts'
import * as pdfs from '../pdf/pdfs.repository.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import * as uploads from '../uploads/uploads.repository.ts'

/** Hashes by the kind of what they name. */
type Hashes = Record<ContentKind, Set<string>>

/** The stored pieces, those that stored pieces refer to, and those that wait to be freed. */
export interface ContentState {
  stored: Hashes
  named: Hashes
  garbage: Hashes
}

/** Content that is named and missing, and content that nothing names and nothing would free. */
export interface ContentFaults {
  missing: ContentRef[]
  unnamed: ContentRef[]
}

const kinds = ['node', 'document', 'blob'] as const
const noHashes = (): Hashes => ({ node: new Set(), document: new Set(), blob: new Set() })

/** Reads which content is stored, and which is named by revisions, nodes, uploads and PDFs. */
export async function readContentState(db: Db, blobs: BlobStore): Promise<ContentState> {
  const state: ContentState = { stored: noHashes(), named: noHashes(), garbage: noHashes() }
  for (const { kind, hash } of await markedContent(db)) state.garbage[kind].add(hash)
  for await (const { hash, body } of stored.allNodes(db)) {
    state.stored.node.add(hash)
    for (const reference of referencesOf(parseNode(body))) state.named[reference.kind].add(reference.hash)
  }
  for (const root of await revisions.allRoots(db)) state.named.node.add(root)
  for (const hash of await uploads.heldBlobs(db)) state.named.blob.add(hash)
  for (const hash of await pdfs.heldBlobs(db)) state.named.blob.add(hash)
  for (const hash of await stored.documentHashes(db)) state.stored.document.add(hash)
  for await (const hash of blobs.list()) state.stored.blob.add(hash)
  return state
}

/** Compares what is named with what is stored. */
export function faultsOf({ stored, named, garbage }: ContentState): ContentFaults {
  const without = (these: Hashes, ...others: Hashes[]): ContentRef[] =>
    kinds.flatMap(kind =>
      [...these[kind]].filter(hash => !others.some(those => those[kind].has(hash))).map(hash => ({ kind, hash })),
    )
  // The empty map is named by nothing and found without being stored.
  const empty = { ...noHashes(), node: new Set([emptyRoot]) }
  return { missing: without(named, stored), unnamed: without(stored, named, garbage, empty) }
}

/** The referrers of a missing piece of content: revisions, as `<space>/<revision>`, `PDF` and `upload`. */
export async function findReferrers(db: Db, hash: string): Promise<string[]> {
  const names = (await revisionsReferring(db, hash)).map(({ id, spaceId }) => `${spaceId}/${id}`)
  if (await pdfs.holdsBlob(db, hash)) names.push('PDF')
  if (await uploads.holdsBlob(db, hash)) names.push('upload')
  return names
}

async function revisionsReferring(db: Db, hash: string): Promise<{ id: string; spaceId: string }[]> {
  const found = new Set<string>()
  for (let level = [hash]; level.length > 0;) {
    for (const each of level) found.add(each)
    level = (await stored.nodesNaming(db, level)).filter(node => !found.has(node))
  }
  return revisions.findWithRoot(db, [...found])
}

/** Marks content that nothing names as garbage: the next sweep looks again, and frees it after an hour. */
export async function markUnnamed(db: Db, unnamed: readonly ContentRef[], now: Date): Promise<void> {
  const batch = 5_000
  for (let start = 0; start < unnamed.length; start += batch)
    await markGarbage(db, unnamed.slice(start, start + batch), now)
}

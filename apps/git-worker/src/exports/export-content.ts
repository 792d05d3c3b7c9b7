import type { ExportContent } from '@recto/contracts-git-worker'
import type { z } from 'zod'

/** The input of an export: the content, and the state at the last synchronisation. */
export type Content = z.output<typeof ExportContent>

/** The content of one revision. */
export type ContentState = Content['now']

type ExportedPage = ContentState['pages'][number]

/** A page, a file or a reusable content that has a file in the repository, or gets one. */
export interface ExportRecord {
  id: string
  kind: 'page' | 'file' | 'reusable'
  /** Below the root of the content. */
  path: string
  /** SHA-256 of its bytes; undefined for an empty page. */
  hash: string | undefined
  /** Its git object, where that is known without its bytes. */
  oid: string | undefined
}

/** SHA-1 of the git object without bytes. */
export const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/** Everything of a revision that has a file, in reading order. */
export function recordsOf({ pages, files, reusableContents }: ContentState): ExportRecord[] {
  return [
    ...pages.flatMap(pageRecords),
    ...files.map(({ id, path, hash, oid }) => ({ id, kind: 'file' as const, path, hash, oid })),
    ...reusableContents.map(({ id, path, hash, oid }) => ({ id, kind: 'reusable' as const, path, hash, oid })),
  ]
}

/** The file of a page; one without gets a file as soon as it has a text. */
export function pageRecords({ id, type, path, wantedPath, hash, oid }: ExportedPage): ExportRecord[] {
  if (type !== 'document' || (path === undefined && hash === undefined)) return []
  const empty = hash === undefined ? emptyBlob : undefined
  return [{ id, kind: 'page', path: path ?? wantedPath ?? `${id}.md`, hash, oid: oid ?? empty }]
}

/** The objects that are known without bytes: those of the repository, and those of the last synchronisation for equal bytes. */
export function knownObjects({ now, base }: Content): Map<string, string> {
  const records = [...(base ? recordsOf(base) : []), ...recordsOf(now)]
  return new Map(records.flatMap(({ hash, oid }) => (hash !== undefined && oid !== undefined ? [[hash, oid]] : [])))
}

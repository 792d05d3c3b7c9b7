import { ExportState } from '@recto/contracts-git-worker-bus'
import { z } from 'zod'

const ExportBaseCandidate = z
  .object({
    revision: z.string(),
    commit: z.string().describe('The commit that it was synchronised with'),
    root: z.string().describe('The root of its content in the repository'),
    isPartial: z.boolean().default(false).describe('The commit also has changes of the branch that the content lacks'),
    isSameBranch: z.boolean().describe('Whether that synchronisation was with a branch of the same name'),
  })
  .meta({ id: 'ExportBaseCandidate', description: 'A synchronisation that an export can build on' })

/** The content that an export writes, with the states that the branch may already have. */
export const ExportContent = z
  .object({
    version: z.literal(1),
    now: ExportState,
    base: ExportState.optional().describe('The content at the last synchronisation with the repository'),
    isSameBranch: z.boolean().describe('Whether that synchronisation was with the same branch'),
    candidates: z
      .array(ExportBaseCandidate)
      .default([])
      .describe(
        'Synchronisations that take the place of the base where the repository has their commit, the most fitting first',
      ),
    pushed: z
      .array(ExportState.extend({ pushed: z.string().describe('The commit that may have it') }))
      .optional()
      .describe(
        'Commits that exports pushed to the branch since, without knowing whether the server took them; the newest first',
      ),
  })
  .meta({ id: 'ExportContent', description: 'The content to export' })

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
  /** The object that the commit of its revision has instead, without settings that the page kept. */
  committedOid?: string | undefined
}

/** SHA-1 of the git object without bytes. */
const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/** Lists the records of a revision that have a file, in reading order. */
export function recordsOf({ pages, files, reusableContents }: ContentState): ExportRecord[] {
  return [
    ...pages.flatMap(pageRecords),
    ...files.map(({ id, path, hash, oid }) => ({ id, kind: 'file' as const, path, hash, oid })),
    ...reusableContents.map(({ id, path, hash, oid }) => ({ id, kind: 'reusable' as const, path, hash, oid })),
  ]
}

/** Returns the record of a page with a file. A page without file gets one as soon as it has a text. */
export function pageRecords({ id, type, path, wantedPath, hash, oid, committedOid }: ExportedPage): ExportRecord[] {
  if (type !== 'document' || (path === undefined && hash === undefined)) return []
  const empty = hash === undefined ? emptyBlob : undefined
  return [{ id, kind: 'page', path: path ?? wantedPath ?? `${id}.md`, hash, oid: oid ?? empty, committedOid }]
}

/** Maps hashes to git objects that the repository or the last synchronisation has, so that their bytes need not be read. */
export function knownObjects({ now, base }: Content): Map<string, string> {
  const records = [...(base ? recordsOf(base) : []), ...recordsOf(now)]
  return new Map(records.flatMap(({ hash, oid }) => (hash !== undefined && oid !== undefined ? [[hash, oid]] : [])))
}

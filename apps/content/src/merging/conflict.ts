import { canonicalJson } from '../content-map/content-map.ts'
import type { NewDocument } from '../content-store/new-document.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'
import type { RepositoryConfiguration, RevisionRow } from '../revisions/revision.entity.ts'
import type { FileIndex } from '../pages/revision-index.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import type { MergedTexts } from './merged-documents.ts'
import type { Side, SideDifferences, Sides } from './three-way.ts'

/** The subject of a conflict, and of the resolution that settles it: exactly one field is given. */
export interface Subject {
  page?: string
  file?: string
  reusableContent?: string
  /** Name of a variable. */
  variable?: string
  /** A key of the repository's configuration, `redirects.SOURCE` for a redirect, `tags.SLUG` for a tag, or `all`. */
  configuration?: string
}

/** The fields of a subject, in the order in which conflicts are listed. */
export const subjectNames = [
  'page',
  'file',
  'reusableContent',
  'variable',
  'configuration',
] as const satisfies (keyof Subject)[]

/** The field that a subject gives. */
export function nameOf(subject: Subject): (typeof subjectNames)[number] | undefined {
  return subjectNames.find(name => subject[name] !== undefined)
}

/** A key of the thing that a conflict or resolution names. */
export function subjectKey(subject: Subject): string {
  const name = nameOf(subject)
  return canonicalJson(name === undefined ? [] : [name, subject[name]])
}

/**
 * `text`: both edited the same lines; the sides are Markdown, and `merged` has both between markers.
 * `field`: both gave the `field` different values; the sides are the values.
 * `move`: both moved the page differently, or its moved ancestors make a cycle; the sides are places (`PagePlace`).
 * `deleted`: one deleted it, or the page `ancestor` above it, and the other changed it, inserted it or moved it there; the sides are records.
 * `path`: both gave the same path to different things; the sides are `PathOwner`s.
 */
export type ConflictKind = 'text' | 'field' | 'move' | 'deleted' | 'path'

/** Something that both sides changed differently. A side on which it does not exist is left out. */
export interface Conflict extends Subject, Partial<Sides<unknown>> {
  kind: ConflictKind
  field?: string
  ancestor?: string
  merged?: string
}

/** A conflict, with the resolutions of its subject that settle it. */
export interface DetectedConflict {
  conflict: Conflict
  /** `side`: a resolution that takes a side. `side or text`: it may also give a Markdown. `none`: resolutions of several pages contradict each other. */
  settledBy: 'side' | 'side or text' | 'none'
}

/** The place of a page in one of the trees. */
export interface PlaceInTree {
  parent: string | null
  path: string
  /** Index among the siblings. */
  position: number
}

/** The holder of a path that another thing wants too. */
export interface PathOwner extends Subject {
  path: string
}

/** A choice that settles the conflicts of one thing: a side for all of them, or a text for a page. */
export type Resolution = Subject & ({ take: 'main' | 'change-request' } | { markdown: string })

/** A resolution that could not be used. */
export interface RefusedResolution {
  resolution: Resolution
  reason: string
}

export type Variables = RevisionRow['variables']

/** The input of a merge: main content and a change request, and how both differ from their common ancestor. */
export interface MergeInput {
  pages: SideDifferences<PageRecord> & { base: PageIndex; main: PageIndex; changeRequest: PageIndex }
  files: SideDifferences<FileRecord> & { main: FileIndex }
  reusable: SideDifferences<ReusableRecord> & { main: readonly ReusableRecord[] }
  variables: { base: Variables; main: Variables; changeRequest: Variables }
  configuration: Sides<RepositoryConfiguration | null> & Record<keyof Sides<unknown>, RepositoryConfiguration | null>
  /** The Markdown of `documentsToMerge`, by hash. */
  documents: ReadonlyMap<string, string>
  /** Their merges that were made already; the others are made when they are needed. */
  mergedTexts?: MergedTexts
  resolutions?: readonly Resolution[]
  /** The side that is taken in all other conflicts. */
  others?: Side | undefined
}

/** Records that differ from those of main content, by id; undefined for one that is deleted. */
export type RecordChanges<Row> = Map<string, Row | undefined>

/** The content that a merge makes. */
export interface Content {
  changes: {
    pages: RecordChanges<PageRecord>
    files: RecordChanges<FileRecord>
    reusable: RecordChanges<ReusableRecord>
  }
  variables: Variables
  configuration: RepositoryConfiguration | null
  /** Merged texts that neither side has. */
  documents: NewDocument[]
}

/** The merged content. It is well-formed in any case, but to be written only without `conflicts` and `refused`. */
export interface MergedContent extends Content {
  /** Conflicts that no resolution settles. */
  conflicts: Conflict[]
  refused: RefusedResolution[]
}

import type { EntityColumns } from '@recto/database'
import type { SpaceTag } from '@recto/markdown'
import { EntitySchema } from 'typeorm'

export interface RevisionRow {
  id: string
  spaceId: string
  type: 'edits' | 'merge' | 'rollback' | 'update' | 'computed'
  parents: string[]
  /** Roots of the maps of pages, files and reusable contents. */
  pagesRoot: string
  filesRoot: string
  reusableRoot: string
  /** Root of the map of computed pages and their declarations. */
  computedRoot: string
  variables: Record<string, string | number | boolean>
  git: GitCommit | null
  /** The layout of the repository of the content; null for content that was never in one. */
  configuration: RepositoryConfiguration | null
  /** The change request whose merge made it. */
  mergedFrom: string | null
  /** Its number in the history of main content, from 1; null for a revision that main content never was. */
  mainNumber: number | null
  /** The time when main content moved to it; null when that was not recorded, and for a revision that main content never was. */
  mainSince: Date | null
  createdBy: string | null
  createdAt: Date
}

/** The layout of content in its repository: paths, redirects and tags. */
export interface RepositoryConfiguration {
  root: string
  readme: string
  summary: string
  redirects: Record<string, string>
  /** In their order; absent for content that was imported before they were read. */
  tags?: SpaceTag[] | undefined
}

/** Settings that a page has beyond its text in a commit. */
export interface KeptInText {
  names: string[]
  /** SHA-256 of that text; absent for an empty one. */
  document?: string
  /** The git object of that text. */
  oid: string
}

/** The commit that a revision was imported from or exported to. */
export interface GitCommit {
  oid: string
  message: string
  ref: string
  url?: string
  createdByService: boolean
  /** The commit of an export that also has changes of the branch which the revision lacks: an import of it brings them. */
  isPartial?: boolean
  /** The commit has all settings of the content that Markdown has no place for: one that a later commit lacks was removed. */
  hasAllSettings?: boolean
  /** By the id of a page: settings that the front matter of the commit lacks, and that the page kept. */
  kept?: Record<string, KeptInText>
  /**
   * The content was synchronised with the commit, and main content of this space never was this revision: an export was made while main
   * content moved on, or the space was duplicated from one that was synchronised.
   */
  isBase?: boolean
}

export const RevisionEntity = new EntitySchema<RevisionRow>({
  name: 'Revision',
  tableName: 'revisions',
  columns: {
    id: { type: 'text', primary: true },
    spaceId: { type: 'text', name: 'space_id' },
    type: { type: 'text' },
    parents: { type: 'text', array: true },
    pagesRoot: { type: 'text', name: 'pages_root' },
    filesRoot: { type: 'text', name: 'files_root' },
    reusableRoot: { type: 'text', name: 'reusable_root' },
    computedRoot: { type: 'text', name: 'computed_root' },
    variables: { type: 'jsonb' },
    git: { type: 'jsonb', nullable: true },
    configuration: { type: 'jsonb', nullable: true },
    mergedFrom: { type: 'text', name: 'merged_from', nullable: true },
    mainNumber: { type: 'int', name: 'main_number', nullable: true },
    mainSince: { type: 'timestamptz', precision: 3, name: 'main_since', nullable: true },
    createdBy: { type: 'text', name: 'created_by', nullable: true },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<RevisionRow>,
})

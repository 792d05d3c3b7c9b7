import type { siteVisibilities, SpaceMergeRules } from '@recto/contracts-shared'
import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { z } from 'zod'
import type { ResourceWithAcl } from '../access/access.policy.ts'
import { resourceColumns, type ResourceRow } from './resource.entity.ts'

/** Rules that every merge in a space must pass. */
export type MergeRules = z.output<typeof SpaceMergeRules>

/** The publication of a space on a site. */
export interface Publication {
  visibility: (typeof siteVisibilities)[number]
  /** Address of the space on the site. */
  url: string
}

export interface SpaceRow extends ResourceRow {
  type: 'space'
  title: string
  emoji: string
  /** URL of an image, shown instead of the emoji. */
  icon: string | null
  language: string | null
  editMode: 'live' | 'locked'
  mergeRules: MergeRules
  revision: string
  comments: number
  changeRequests: number
  changeRequestsOpen: number
  changeRequestsDraft: number
  gitSync: GitSync | null
  /** Its publication on the most open site; null while no published site shows it. */
  publication: Publication | null
  createdBy: string
  createdAt: Date
}

/** Settings of a space. */
export type SpaceSettings = Pick<
  SpaceRow,
  'title' | 'emoji' | 'icon' | 'language' | 'editMode' | 'defaultLevel' | 'mergeRules'
>

/** A space with all that a caller's role on it depends on. */
export type SpaceWithAcl = SpaceRow & ResourceWithAcl

/** The repository a space was last synchronized with. */
export interface GitSync {
  repoName?: string | undefined
  installationProvider?: 'github' | 'gitlab' | undefined
  url: string
  updatedAt: string
}

export const SpaceEntity = new EntitySchema<SpaceRow>({
  name: 'Space',
  tableName: 'spaces',
  columns: {
    ...resourceColumns,
    title: { type: 'text' },
    emoji: { type: 'text' },
    icon: { type: 'text', nullable: true },
    language: { type: 'text', nullable: true },
    editMode: { type: 'text', name: 'edit_mode' },
    mergeRules: { type: 'jsonb', name: 'merge_rules' },
    revision: { type: 'text' },
    comments: { type: 'int' },
    changeRequests: { type: 'int', name: 'change_requests' },
    changeRequestsOpen: { type: 'int', name: 'change_requests_open' },
    changeRequestsDraft: { type: 'int', name: 'change_requests_draft' },
    gitSync: { type: 'jsonb', name: 'git_sync', nullable: true },
    publication: { type: 'jsonb', nullable: true },
    createdBy: { type: 'text', name: 'created_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<SpaceRow>,
})

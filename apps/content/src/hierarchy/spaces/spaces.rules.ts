import { createId } from '@recto/operation'
import { changed } from '../../shared/changed-fields.rules.ts'
import type { SpaceRow } from './space.entity.ts'

/** What a space shows that was given neither emoji nor icon. */
export const defaultEmoji = '1f4d8'

interface SpaceRequest {
  organizationId: string
  parent: string | null
  position: string
  title?: string | undefined
  emoji?: string | undefined
  language?: string | null | undefined
  editMode: 'live' | 'locked'
  createdBy: string
}

/** A new space, whose first revision has an id and no content yet. */
export function newSpace({
  title = 'Untitled',
  emoji = defaultEmoji,
  language = null,
  ...request
}: SpaceRequest): SpaceRow {
  const now = new Date()
  const none = {
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    gitSync: null,
    icon: null,
    deletedAt: null,
  }
  return {
    ...request,
    ...none,
    id: createId(),
    title,
    emoji,
    language,
    defaultLevel: 'inherit',
    revision: createId(),
    createdAt: now,
    updatedAt: now,
  }
}

/** Settings of a space. */
export type SpaceSettings = Pick<SpaceRow, 'title' | 'emoji' | 'icon' | 'language' | 'editMode' | 'defaultLevel'>

type SpaceUpdate = { [Key in Exclude<keyof SpaceSettings, 'emoji'>]?: SpaceSettings[Key] | undefined } & {
  emoji?: string | null | undefined
  /** The only value there is says what is so already. */
  mergeRules?: { type: 'inherit' } | undefined
}

/** What a request changes: an emoji takes the place of an icon and the other way round, and without either there is the usual emoji. */
export function changesTo(
  space: SpaceSettings,
  { emoji, icon, mergeRules: _inherited, ...settings }: SpaceUpdate,
): Partial<SpaceSettings> {
  const shown = icon
    ? { icon, emoji: defaultEmoji }
    : emoji
      ? { emoji, icon: null }
      : { emoji: emoji === null ? defaultEmoji : undefined, icon }
  return changed<SpaceSettings, keyof SpaceSettings>(space, { ...settings, ...shown })
}

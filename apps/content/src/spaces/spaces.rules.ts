import { createId } from '@recto/operation'
import { changedFields } from '../events/changed-fields.rules.ts'
import type { SpaceRow, SpaceSettings } from '../resources/space.entity.ts'

/** The emoji (code point in hex) of a space without emoji and icon. */
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

/** A new space, which inherits its default level. Its `revision` is a new id; the caller writes that revision. */
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
    publication: null,
    deletedAt: null,
  }
  return {
    ...request,
    ...none,
    id: createId(),
    type: 'space',
    title,
    emoji,
    language,
    defaultLevel: 'inherit',
    mergeRules: { type: 'inherit' },
    revision: createId(),
    createdAt: now,
    updatedAt: now,
  }
}

/** A request to update the settings of a space. */
export type SpaceUpdate = { [Key in Exclude<keyof SpaceSettings, 'emoji'>]?: SpaceSettings[Key] | undefined } & {
  emoji?: string | null | undefined
}

/** The settings that a request changes. An emoji replaces an icon and the other way round; a space without either gets the default emoji. */
export function spaceChanges(space: SpaceSettings, { emoji, icon, ...settings }: SpaceUpdate): Partial<SpaceSettings> {
  const icons = icon
    ? { icon, emoji: defaultEmoji }
    : emoji
      ? { emoji, icon: null }
      : { emoji: emoji === null ? defaultEmoji : undefined, icon }
  return changedFields<SpaceSettings, keyof SpaceSettings>(space, { ...settings, ...icons })
}

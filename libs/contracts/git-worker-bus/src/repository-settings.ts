import { z } from 'zod'
import { contentLimits, editingLimits, Emoji, FileName, text } from '@recto/contracts-shared'

/** Characters of a condition in a repository's file of settings. */
const maxCondition = 1_024

/** A slug in a repository's file of settings. A slug from a title can be longer than the slug of a request. */
const Slug = text({ min: 1, max: editingLimits.title }).regex(/^[\p{L}\p{N}\p{M}._~-]+$/u)

/** The settings of a page, group, link or other entry in Recto's own file of a repository. A condition is checked when it is evaluated. */
export const entrySettings = {
  title: text({ min: 1, max: editingLimits.title }),
  linkTitle: text({ min: 1, max: editingLimits.linkTitle }),
  slug: Slug,
  emoji: Emoji,
  icon: text({ min: 1, max: contentLimits.icon }),
  description: text({ max: editingLimits.description }),
  hidden: z.boolean(),
  noIndex: z.boolean(),
  noRobotsIndex: z.boolean(),
  condition: text({ max: maxCondition }),
}

/** The settings of a file in Recto's own file of a repository. */
const fileSettings = { name: FileName }

/** The settings of each section of Recto's own file of a repository. */
export const settingsOfSections = { pages: entrySettings, entries: entrySettings, files: fileSettings }

/** Settings of an entry of the page tree in content, by name. */
export const EntrySettings = z
  .record(z.string(), z.union([z.string(), z.boolean()]))
  .meta({ id: 'EntrySettings', description: 'Settings of an entry of the page tree by name' })

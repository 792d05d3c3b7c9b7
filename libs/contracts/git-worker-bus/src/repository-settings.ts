import { z } from 'zod'
import { contentLimits, editingLimits, Emoji, FileName, text } from '@recto/contracts-shared'

/** Characters of a condition in a repository's file of settings. */
const maxCondition = 1_024

/** A slug as a repository's file of settings has it: one that was made of a title can be longer than one that a request names. */
const Slug = text({ min: 1, max: editingLimits.title }).regex(/^[\p{L}\p{N}\p{M}._~-]+$/u)

/** The settings of a page, a group, a link or another entry that Recto's own file of a repository can have; a condition is checked where it is evaluated. */
export const entrySettings = {
  title: text({ min: 1, max: editingLimits.title }),
  slug: Slug,
  emoji: Emoji,
  icon: text({ min: 1, max: contentLimits.icon }),
  description: text({ max: editingLimits.description }),
  hidden: z.boolean(),
  noIndex: z.boolean(),
  noRobotsIndex: z.boolean(),
  condition: text({ max: maxCondition }),
}

/** The settings of a file that Recto's own file of a repository can have. */
const fileSettings = { name: FileName }

/** The settings of each section of Recto's own file of a repository. */
export const settingsOfSections = { pages: entrySettings, entries: entrySettings, files: fileSettings }

/** Settings of an entry of the page tree by name, as content has them. */
export const EntrySettings = z
  .record(z.string(), z.union([z.string(), z.boolean()]))
  .meta({ id: 'EntrySettings', description: 'Settings of an entry of the page tree by name' })

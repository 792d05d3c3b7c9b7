import { text } from './conventions.ts'

/** Limits of a batch of changes: changes, files and blocks of one change, characters of texts. */
export const editingLimits = {
  changes: 50,
  files: 20,
  blocks: 1_000,
  ref: 64,
  title: 1_000,
  linkTitle: 100,
  metaLinks: 100,
  slug: 100,
  description: 1_000,
  name: 256,
}

/** Limits of a page: characters of a variable's text and of an icon's name, bytes of a path in a URL. */
export const contentLimits = { variable: 256, icon: 50, path: 1_800 }

/** The name of a file, without folders. */
export const FileName = text({ min: 1, max: editingLimits.name }).refine(
  name => !/[/\\\p{Cc}]/u.test(name) && name !== '.' && name !== '..',
  'must be a name without separators and control characters',
)

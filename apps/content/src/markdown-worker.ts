import { markdownTasks } from '@recto/markdown'

/** The module of the worker threads that parse Markdown; a bundle of its own. */
export const {
  difference,
  outline,
  outlines,
  document,
  evaluatedMarkdown,
  readMarkdown,
  revertBlocks,
  segments,
  translated,
  tokens,
  unwritable,
  writtenMarkdown,
} = markdownTasks

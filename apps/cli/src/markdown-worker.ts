import { markdownTasks } from '@recto/markdown'

/** The module of the worker threads that parse Markdown; a bundle of its own. */
export const { document, outlines } = markdownTasks

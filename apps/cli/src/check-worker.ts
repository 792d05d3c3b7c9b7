import { checkPage } from '@recto/markdown/checks'

/** The tasks of the worker threads that check pages. Their module loads nothing else, since each first check waits for it. */
export const check = ({ markdown }: { markdown: string }) => checkPage(markdown)

export const checkAll = ({ markdowns }: { markdowns: readonly string[] }) => markdowns.map(checkPage)

import { markdownTasks } from '@recto/markdown'
import type { SiteThreads } from '../site/folder-site.ts'

/** Tasks without threads, for the few texts of a test. */
export const inThisThread: SiteThreads = {
  run: (name, input) => Promise.resolve((markdownTasks[name] as (input: unknown) => never)(input)),
}

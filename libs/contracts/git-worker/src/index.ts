import { git } from './git.ts'
import { gitPreviews } from './git-previews.ts'
import { gitSync } from './git-sync.ts'

export * from './git-previews.ts'
export * from './git-sync.ts'
export * from './git.ts'

/** Operations of the API that git-worker answers. */
export const gitWorkerApi = { ...git, ...gitSync, ...gitPreviews }

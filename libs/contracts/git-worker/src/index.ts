import { git } from './git.ts'
import { gitSync } from './git-sync.ts'

export * from './calls.ts'
export * from './content-calls.ts'
export * from './git-jobs.ts'
export * from './git-manifests.ts'
export * from './git-sync.ts'
export * from './git.ts'
export * from './repository-settings.ts'

/** Operations of the API that git-worker answers. */
export const gitWorkerApi = { ...git, ...gitSync }

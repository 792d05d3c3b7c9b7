import { content } from './content/content.ts'
import { git } from './content/git.ts'
import { gitCalls, gitJobs } from './content/git-jobs.ts'
import { spaces } from './content/spaces.ts'
import { identityCalls, identityEvents } from './identity/bus.ts'
import { organizations } from './identity/organizations.ts'
import { users } from './identity/users.ts'
import { service } from './service.ts'

export { Language, Space } from './content/spaces.ts'
export { Revision, File, ReusableContent } from './content/pages.ts'
export { GitError, GitWarning, gitErrors, gitStages, gitStates } from './content/git.ts'
export { ImportedPage, ImportManifest } from './content/git-jobs.ts'
export { Page } from './content/pages.ts'
export { services, type ServiceName } from './services.ts'
export { content, git, gitCalls, gitJobs, identityCalls, identityEvents, organizations, service, spaces, users }

/** Operations of the API by the service that owns them. */
export const api = {
  identity: { ...service, ...users, ...organizations },
  content: { ...spaces, ...content, ...git },
}

/** Operations that services ask of each other, by the service that answers. */
export const calls = { identity: identityCalls, content: gitCalls }

/** Every event of the platform. */
export const allEvents = { ...identityEvents }

/** Every job of the platform. */
export const allJobs = { ...gitJobs }

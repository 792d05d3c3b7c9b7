import { fieldFault, type Input, type Secrets } from '@recto/operation'
import type { gitSync } from '@recto/contracts-git-worker'
import { apiUrlOf, forgeAt } from '../forges/forge.rules.ts'
import type { ForgeApi } from '../forges/status-request.rules.ts'
import { seal, unseal } from '../shared/credentials.ts'
import type { GitSyncRow, PreviewSettings } from './git-sync.entity.ts'

type Settings = Input<typeof gitSync.setGitSync>['body']
type PreviewInput = NonNullable<Settings['previews']>

/** The API that takes statuses of commits, with its token. It is stored as one, so that a token never goes to another API. */
export type StatusApi = Pick<ForgeApi, 'forge' | 'apiUrl' | 'token'>

/** How pull requests are previewed, and the API for statuses. */
interface PreviewColumns {
  previews: PreviewSettings | null
  api: StatusApi | null
}

/** The API for statuses of commits of a synchronisation; null without a token. */
export function statusApiOf(
  { id, statusToken }: Pick<GitSyncRow, 'id' | 'statusToken'>,
  key: Secrets,
): StatusApi | null {
  return statusToken && unseal<StatusApi>(statusToken, `status ${id}`, key)
}

/** Encrypts the API for statuses of commits with its token. */
export function sealStatusApi(api: StatusApi | null, id: string, key: Secrets): Buffer | null {
  return api && seal(api, `status ${id}`, key)
}

/**
 * The previews that a request asks for. `current` is the synchronisation with the same repository, if there is one: its token never goes to
 * another repository, or to another API. Throws `invalid_request` where the forge is not known, or the branch is only exported.
 */
export function previewsOfRequest(
  { previews: input, direction }: Settings,
  { url, current }: { url: string; current: PreviewColumns | undefined },
): PreviewColumns {
  if (input === undefined && direction !== 'export')
    return { previews: current?.previews ?? null, api: current?.api ?? null }
  if (input === undefined || input === null) return { previews: null, api: current?.api ?? null }
  if (direction === 'export')
    throw fieldFault('body.previews', 'must be left out, or null, for a branch that is only exported to')
  const before = current?.previews ?? undefined
  const settings = settingsOf(input, { url, before })
  const { forge, apiUrl } = settings
  const stored = current?.api?.apiUrl === apiUrl ? current.api.token : null
  const token = input.statusToken === undefined ? stored : input.statusToken
  return { previews: settings, api: token === null ? null : { forge, apiUrl, token } }
}

function settingsOf(
  input: PreviewInput,
  { url, before }: { url: string; before: PreviewSettings | undefined },
): PreviewSettings {
  const forge = input.forge ?? before?.forge ?? forgeAt(url)
  if (!forge) throw fieldFault('body.previews.forge', 'must be given, since the host of the repository does not say it')
  const apiUrl = (input.apiUrl ?? apiUrlOf(forge, url)).replace(/\/+$/, '')
  if (/[?#]/.test(apiUrl)) throw fieldFault('body.previews.apiUrl', 'must have no query and no fragment')
  const { isRepositoryPublic = null, since = null } = before ?? {}
  return { forge, apiUrl, access: input.access ?? null, isRepositoryPublic, since }
}

import type { Outgoing } from '@recto/outgoing'
import { toImportFailure } from '../failures/classify.ts'
import { requestForge } from '../forges/request-forge.ts'
import { pullHeadsIn } from '../forges/forge.rules.ts'
import { type PullRequest, readPullRequest } from '../forges/pull-request.rules.ts'
import { type ForgeApi, pullsPerPage, pullsRequest } from '../forges/status-request.rules.ts'
import type { RepositoryPulls } from '../previews/follow-previews.ts'
import type { RemoteRef } from '../remote/branches.ts'
import { discover, type Source } from '../remote/discover.ts'
import type { PreviewSettings } from '../syncs/git-sync.entity.ts'

/** How the pull requests of a repository are found. */
export interface PullSource extends Omit<ForgeApi, 'token'>, Pick<PreviewSettings, 'access'> {
  token: string | null
}

/** Pages of a list of pull requests that one look reads. */
const maxPages = 10
const maxListBytes = 8 * 1024 * 1024

interface FindTools {
  outgoing: Outgoing
  signal: AbortSignal
  log: { info(details: object, message: string): void }
}

/** Finds the pull requests of a repository: their heads in its refs, and the open ones by the forge's list, where a token may read it. */
export async function findPulls(
  branch: Source & { syncId: string; pulls: PullSource },
  refs: RemoteRef[],
  tools: FindTools,
): Promise<RepositoryPulls> {
  const { forge, access, token } = branch.pulls
  const open = token === null ? undefined : await listOpen({ ...branch.pulls, token }, branch.syncId, tools)
  // Who may read a preview depends on it only where the owner has not said it.
  const isPublic = access === null ? await isReadable(branch, tools) : undefined
  return { heads: pullHeadsIn(refs, forge), ...(open && { open }), ...(isPublic !== undefined && { isPublic }) }
}

/** Whether everybody may read a repository; undefined while its server does not say so. */
async function isReadable({ url, credentials }: Source, { outgoing, signal }: FindTools): Promise<boolean | undefined> {
  if (!credentials) return true
  try {
    await discover(outgoing, { url }, { signal })
    return true
  } catch (error) {
    signal.throwIfAborted()
    return toImportFailure(error, 'poll').transient ? undefined : false
  }
}

/** Lists the open pull requests; undefined where the forge does not answer, or refuses. */
async function listOpen(
  api: ForgeApi,
  syncId: string,
  { outgoing, signal, log }: FindTools,
): Promise<RepositoryPulls['open']> {
  const pulls: PullRequest[] = []
  for (let page = 1; page <= maxPages; page++) {
    const reply = await requestForge(outgoing, pullsRequest(api, page), { signal, maxBytes: maxListBytes })
    const items = reply.result.kind === 'accepted' ? listIn(reply.text) : undefined
    if (!items) {
      log.info({ syncId, reason: reply.result.kind }, 'pull requests were not listed')
      return undefined
    }
    pulls.push(...items.flatMap(item => readPullRequest(item) ?? []))
    if (items.length < pullsPerPage) return { pulls, isComplete: true }
  }
  return { pulls, isComplete: false }
}

function listIn(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

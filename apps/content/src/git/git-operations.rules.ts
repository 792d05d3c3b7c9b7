import { Failure } from '@recto/operation'
import type { GitSync } from '../spaces/space.entity.ts'
import type { GitOperationRow } from './git-operation.entity.ts'

/** Attempts of one operation before it is given up. */
export const maxAttempts = 5
/** Milliseconds without a report after which a worker is taken for dead. */
export const leaseLength = 8_000

type Timed = Pick<GitOperationRow, 'timestamp' | 'options'>

/** What happens to the operation at the head of a space's lane: an older one than the last that finished is skipped, unless forced. */
export function turnOf(operation: Timed, lastFinished: Date | null): 'run' | 'skip' {
  if (operation.options.force || lastFinished === null) return 'run'
  return operation.timestamp < lastFinished ? 'skip' : 'run'
}

/** What a worker that asks for an operation is told. */
export function leaseOf(operation: Pick<GitOperationRow, 'state' | 'dispatched' | 'attempts' | 'heartbeatAt'>, now: Date): 'take' | 'done' | 'busy' | 'give-up' {
  const isOpen = operation.state === 'queued' || operation.state === 'running'
  // What waits for its turn gets a job of its own when the turn comes; an old job for it is nobody's.
  if (!isOpen || !operation.dispatched) return 'done'
  const isHeld = operation.state === 'running' && operation.heartbeatAt !== null && now.getTime() - operation.heartbeatAt.getTime() < leaseLength
  if (isHeld) return 'busy'
  return operation.attempts >= maxAttempts ? 'give-up' : 'take'
}

/** Takes a repository URL apart; credentials never stay in the URL. Throws `invalid_request`, naming `field`, for what is not http or https. */
export function splitRepositoryUrl(text: string, field: string): { url: string; credentials?: { username: string; password: string } } {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  const fault = faultOf(parsed)
  if (!parsed || fault) {
    throw new Failure('invalid_request', `body.${field}: ${fault}`, { details: [{ path: `body.${field}`, message: fault }] })
  }
  const credentials = { username: decoded(parsed.username), password: decoded(parsed.password) }
  parsed.username = ''
  parsed.password = ''
  parsed.hash = ''
  return { url: parsed.href, ...((credentials.username || credentials.password) && { credentials }) }
}

/** A query may hold a secret, and every reader of the space sees its repository's URL. */
function faultOf(url: URL | undefined): string {
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'must be an http or https URL'
  return url.search === '' ? '' : 'must not have a query; put credentials before the host'
}

/** What a space shows of the repository it was synchronised with. */
export function gitSyncOf(operation: Pick<GitOperationRow, 'url' | 'options'>, now: Date): GitSync {
  const { gitInfo } = operation.options
  const name = new URL(operation.url).pathname.replace(/^\/+|\/+$|\.git\/*$/g, '').split('/').slice(-2).join('/')
  return {
    url: gitInfo?.url ?? operation.url,
    ...(name && { repoName: name }),
    ...(gitInfo && { installationProvider: gitInfo.provider }),
    updatedAt: now.toISOString(),
  }
}

/** Percent-decoded, or as it is when it cannot be: a stray `%` is a character of the password. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

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
export function leaseOf(operation: Pick<GitOperationRow, 'state' | 'attempts' | 'heartbeatAt'>, now: Date): 'take' | 'done' | 'busy' | 'give-up' {
  if (operation.state !== 'queued' && operation.state !== 'running') return 'done'
  const isHeld = operation.state === 'running' && operation.heartbeatAt !== null && now.getTime() - operation.heartbeatAt.getTime() < leaseLength
  if (isHeld) return 'busy'
  return operation.attempts >= maxAttempts ? 'give-up' : 'take'
}

/** Takes a repository URL apart; credentials never stay in the URL. Throws `invalid_request`, naming `field`, for what is not http or https. */
export function splitRepositoryUrl(text: string, field: string): { url: string; credentials?: { username: string; password: string } } {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) {
    const message = 'must be an http or https URL'
    throw new Failure('invalid_request', `body.${field}: ${message}`, { details: [{ path: `body.${field}`, message }] })
  }
  const credentials = { username: decoded(parsed.username), password: decoded(parsed.password) }
  parsed.username = ''
  parsed.password = ''
  parsed.hash = ''
  return { url: parsed.href, ...((credentials.username || credentials.password) && { credentials }) }
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

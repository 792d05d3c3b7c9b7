import type { GitCredentials } from '@recto/contracts'
import { Failure } from '@recto/operation'
import type { z } from 'zod'
import type { GitSync } from '../../hierarchy/spaces/space.entity.ts'
import type { GitOperationRow, GitOptions } from './git-operation.entity.ts'

/** Attempts of one operation before it is given up. */
export const maxAttempts = 5
/** Milliseconds without a report after which a worker is taken for dead. */
export const leaseLength = 8_000
/** Characters of a URL as it is sent; a text of other scripts grows when it is percent-encoded. */
const longestUrl = 2_048

type Timed = Pick<GitOperationRow, 'timestamp' | 'options'>

/** What happens to the operation at the head of a space's lane: an older one than the last that finished is skipped, unless forced. */
export function turnOf(operation: Timed, lastFinished: Date | null): 'run' | 'skip' {
  if (operation.options.force || lastFinished === null) return 'run'
  return operation.timestamp < lastFinished ? 'skip' : 'run'
}

/** What a worker that asks for an operation is told. */
export function leaseOf(
  operation: Pick<GitOperationRow, 'state' | 'dispatched' | 'attempts' | 'heartbeatAt'>,
  now: Date,
): 'take' | 'done' | 'busy' | 'give-up' {
  const isOpen = operation.state === 'queued' || operation.state === 'running'
  // What waits for its turn gets a job of its own when the turn comes; an old job for it is nobody's.
  if (!isOpen || !operation.dispatched) return 'done'
  const isHeld =
    operation.state === 'running' &&
    operation.heartbeatAt !== null &&
    now.getTime() - operation.heartbeatAt.getTime() < leaseLength
  if (isHeld) return 'busy'
  return operation.attempts >= maxAttempts ? 'give-up' : 'take'
}

/** Where a repository is, and apart from it what is secret of its URL. */
export interface RepositoryUrl {
  url: string
  credentials?: z.output<typeof GitCredentials>
}

/**
 * Takes a repository URL apart: credentials and query, which can hold a token, never stay in the URL that others see.
 * Throws `invalid_request`, naming `field`, for what is not http or https.
 */
export function splitRepositoryUrl(text: string, field: string): RepositoryUrl {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) throw wrongUrl(field, 'must be an http or https URL')
  if (parsed.href.length > longestUrl)
    throw wrongUrl(field, `must have at most ${longestUrl} characters when percent-encoded`)
  const { username, password, search: query } = parsed
  parsed.username = parsed.password = parsed.search = parsed.hash = ''
  const credentials = { username: decoded(username), password: decoded(password), ...(query && { query }) }
  return { url: parsed.href, ...((username || password || query) && { credentials }) }
}

function wrongUrl(field: string, message: string): Failure {
  return new Failure('invalid_request', `body.${field}: ${message}`, { details: [{ path: `body.${field}`, message }] })
}

/** What a space shows of the repository it was synchronised with; `url` is the prefix of links to its files. */
export function gitSyncOf({ url, options }: Pick<GitOperationRow, 'url' | 'options'>, now: Date): GitSync {
  const { gitInfo, repoTreeURL } = options
  const name = new URL(url).pathname
    .replace(/^\/+|\/*(?:\.git)?\/*$/g, '')
    .split('/')
    .slice(-2)
    .join('/')
  return {
    url: gitInfo?.url || repoTreeURL || url,
    ...(name && { repoName: name }),
    ...(gitInfo?.provider && { installationProvider: gitInfo.provider }),
    updatedAt: now.toISOString(),
  }
}

/** Where a commit can be seen, when the caller said below which URL commits are. */
export function commitUrlOf({ repoCommitURL }: Pick<GitOptions, 'repoCommitURL'>, oid: string): string | undefined {
  return repoCommitURL ? `${repoCommitURL.replace(/\/+$/, '')}/${oid}` : undefined
}

/** Percent-decoded, or as it is when it cannot be: a stray `%` is a character of the password. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

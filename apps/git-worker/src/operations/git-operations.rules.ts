import type { GitCredentials, RevisionSnapshot, ShownRepository } from '@recto/contracts-git-worker-bus'
import { Failure, fieldFault } from '@recto/operation'
import { decodeUriComponent } from '@recto/text'
import type { z } from 'zod'
import type { GitOperationRow, GitOptions, RecordedPush } from './git-operation.entity.ts'

/** Attempts of one operation before it fails for good. */
export const maxAttempts = 5
/** Milliseconds without a report after which a worker's lease expires. */
export const leaseLength = 8_000
/** Characters of a percent-encoded URL, which can be longer than the text that was sent. */
const maxUrlLength = 2_048

type QueuedOperation = Pick<GitOperationRow, 'timestamp' | 'options' | 'syncId'>

/**
 * Whether the operation at the head of a space's queue runs. One whose timestamp is before that of the
 * latest state that was imported or exported successfully is skipped, unless forced. The order does not matter for a synchronisation, which decides its own operations, and for a standalone import or export, which moves no pointer.
 */
export function decideTurn(operation: QueuedOperation, latestTimestamp: Date | null): 'run' | 'skip' {
  const { force, standalone } = operation.options
  if (force || standalone || operation.syncId !== null || latestTimestamp === null) return 'run'
  return operation.timestamp < latestTimestamp ? 'skip' : 'run'
}

/** The running operations of an organization, and its other waiting ones. */
export interface OrganizationLoad {
  /** Operations whose jobs are dispatched and that have not ended. */
  dispatched: number
  /** Other spaces whose next operation waits to be dispatched. */
  waiting: number
}

/**
 * Whether the next operation of a space is dispatched: when its organization runs fewer operations than its limit, and no other of its
 * spaces waits. The sweep takes the oldest first, so for it other spaces may wait.
 */
export function mayDispatch(
  { dispatched, waiting }: OrganizationLoad,
  { limit, isOldest }: { limit: number; isOldest: boolean },
): boolean {
  return dispatched < limit && (isOldest || waiting === 0)
}

/** A repository URL without secrets, and the credentials it contained. */
export interface RepositoryUrl {
  url: string
  credentials?: z.output<typeof GitCredentials>
}

/**
 * Splits a repository URL: credentials and query, which can contain a token, never stay in the URL that others can read.
 * Throws `invalid_request`, naming `field` of the body, for a text that is not an http or https URL, or is too long.
 */
export function splitRepositoryUrl(text: string, field: string): RepositoryUrl {
  const parsedUrl = URL.canParse(text) ? new URL(text) : undefined
  if (!parsedUrl || !['http:', 'https:'].includes(parsedUrl.protocol))
    throw fieldFault(`body.${field}`, 'must be an http or https URL')
  if (parsedUrl.href.length > maxUrlLength)
    throw fieldFault(`body.${field}`, `must have at most ${maxUrlLength} characters when percent-encoded`)
  const { username, password, search: query } = parsedUrl
  parsedUrl.username = parsedUrl.password = parsedUrl.search = parsedUrl.hash = ''
  // A stray `%` is a character of the password: a malformed part stays as it is.
  const decode = (part: string) => decodeUriComponent(part) ?? part
  const credentials = { username: decode(username), password: decode(password), ...(query && { query }) }
  return { url: parsedUrl.href, ...((username || password || query) && { credentials }) }
}

/** The repository that a space was synchronized with, as it shows it; `url` is the prefix of links to its files. */
export function gitSyncOf(
  { url, options }: Pick<GitOperationRow, 'url' | 'options'>,
  now: Date,
): z.output<typeof ShownRepository> {
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

/** The URL of a commit, when the caller gave the URL prefix of commits. */
export function commitUrlOf({ repoCommitURL }: Pick<GitOptions, 'repoCommitURL'>, oid: string): string | undefined {
  return repoCommitURL ? `${repoCommitURL.replace(/\/+$/, '')}/${oid}` : undefined
}

/** The message of an export's commit. Placeholders are replaced when a change request was merged, else they stay. */
export function commitMessageOf(template: string, changeRequest?: { number: number; subject: string }): string {
  if (!changeRequest) return template
  return template.replace(/\{change_request_(number|subject)\}/g, (_all, field: 'number' | 'subject') =>
    String(changeRequest[field]),
  )
}

/** Cleans name and e-mail for a commit, where git allows no angle brackets and no control characters. */
export function commitPerson({ name, email }: { name: string; email: string }): { name: string; email: string } {
  const clean = (text: string) => text.replace(/[<>\p{Cc}]/gu, ' ').trim()
  return { name: clean(name) || 'Unknown user', email: clean(email).replace(/\s/g, '') }
}

/** Limit on the pushes that an operation records, and on those that an export looks for on its branch. */
const maxPushes = 5

/** Adds a push that is about to start to the options of an operation. */
export function withPush(options: GitOptions, push: RecordedPush): GitOptions {
  const others = (options.pushed ?? []).filter(({ commit }) => commit !== push.commit)
  return { ...options, pushed: [push, ...others].slice(0, maxPushes) }
}

/** Pushes to a branch without a recorded outcome, newest first: those since its last synchronisation. */
export function openPushes(operations: Pick<GitOperationRow, 'options'>[], synchronised: Date | null): RecordedPush[] {
  return operations
    .flatMap(({ options }) => options.pushed ?? [])
    .filter(({ at }) => synchronised === null || new Date(at) > synchronised)
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, maxPushes)
}

/** Limit on the synchronisations that an export considers as its base. */
const maxCandidates = 10

/** A revision that was synchronised with a commit. */
export type SynchronisedRevision = Pick<
  z.output<typeof RevisionSnapshot>['synchronised'][number],
  'revision' | 'commit' | 'ref' | 'root' | 'isPartial' | 'createdAt'
>

/** A synchronisation that an export builds on if the repository has its commit. */
export interface BaseCandidate {
  revision: string
  commit: string
  root: string
  isPartial: boolean
  isSameBranch: boolean
}

/**
 * The synchronisations that fit an export better than the last one with the same address, best first: those of a branch of the same name,
 * then the newest. They may have any address, since a repository moves and has mirrors: the worker checks whether it has their commits.
 */
export function baseCandidates(
  synchronised: SynchronisedRevision[],
  { ref, last }: { ref: string; last: Pick<SynchronisedRevision, 'ref' | 'createdAt'> | undefined },
): BaseCandidate[] {
  const commits = new Set<string>()
  const isBetter = (one: Pick<SynchronisedRevision, 'ref' | 'createdAt'>, other: typeof one) =>
    (one.ref === ref) === (other.ref === ref) ? one.createdAt > other.createdAt : one.ref === ref
  return synchronised
    .filter(each => !last || isBetter(each, last))
    .map(each => ({
      revision: each.revision,
      commit: each.commit,
      root: each.root,
      isPartial: each.isPartial,
      isSameBranch: each.ref === ref,
    }))
    .sort((one, other) => Number(other.isSameBranch) - Number(one.isSameBranch))
    .filter(({ commit, root }) => commits.size !== commits.add(`${commit} ${root}`).size)
    .slice(0, maxCandidates)
}

/** Returns the operation if this attempt holds its lease; throws `conflict` otherwise. */
export function requireLease(operation: GitOperationRow | undefined, attempt: number): GitOperationRow {
  if (operation?.state === 'running' && operation.attempts === attempt) return operation
  throw new Failure('conflict', 'Another attempt holds the lease of this operation')
}

import type { GitCredentials, RevisionSnapshot, ShownRepository } from '@recto/contracts-git-worker-bus'
import { Failure, fieldFault } from '@recto/operation'
import type { z } from 'zod'
import type { GitOperationRow, GitOptions, RecordedPush } from './git-operation.entity.ts'

/** Attempts of one operation before it fails for good. */
export const maxAttempts = 5
/** Milliseconds without a report after which a worker's lease expires. */
export const leaseLength = 8_000
/** Characters of a percent-encoded URL, which can be longer than the text that was sent. */
const maxUrlLength = 2_048

type Timed = Pick<GitOperationRow, 'timestamp' | 'options' | 'syncId'>

/**
 * Whether the operation at the head of a space's queue runs; one older than the last that finished is skipped, unless forced. A
 * synchronisation says itself what is to be done, and a standalone import moves no pointer, so that their order does not matter.
 */
export function decideTurn(operation: Timed, lastFinished: Date | null): 'run' | 'skip' {
  const { force, standalone } = operation.options
  if (force || standalone || operation.syncId !== null || lastFinished === null) return 'run'
  return operation.timestamp < lastFinished ? 'skip' : 'run'
}

/** The running operations of an organization, and its other waiting ones. */
export interface OrganizationLoad {
  /** Operations whose jobs are dispatched and that have not ended. */
  dispatched: number
  /** Other spaces whose next operation waits to be dispatched. */
  waiting: number
}

/**
 * Whether the next operation of a space is dispatched: while its organization has less than its limit at work, and no other of its
 * spaces waits. The sweep, which takes the oldest first, does not ask for the latter.
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
 * Throws `invalid_request`, naming `field` of the body, for what is not an http or https URL, or too long.
 */
export function splitRepositoryUrl(text: string, field: string): RepositoryUrl {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
    throw fieldFault(`body.${field}`, 'must be an http or https URL')
  if (parsed.href.length > maxUrlLength)
    throw fieldFault(`body.${field}`, `must have at most ${maxUrlLength} characters when percent-encoded`)
  const { username, password, search: query } = parsed
  parsed.username = parsed.password = parsed.search = parsed.hash = ''
  const credentials = { username: decoded(username), password: decoded(password), ...(query && { query }) }
  return { url: parsed.href, ...((username || password || query) && { credentials }) }
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

/** Percent-decoded, or unchanged when it is malformed: a stray `%` is then a character of the password. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The message of an export's commit: placeholders are replaced where a change request was merged, and stay as they are elsewhere. */
export function commitMessageOf(template: string, changeRequest?: { number: number; subject: string }): string {
  if (!changeRequest) return template
  return template.replace(/\{change_request_(number|subject)\}/g, (_all, field: 'number' | 'subject') =>
    String(changeRequest[field]),
  )
}

/** A user as git writes them: names hold no angle brackets and no control characters. */
export function commitPerson({ name, email }: { name: string; email: string }): { name: string; email: string } {
  const clean = (text: string) => text.replace(/[<>\p{Cc}]/gu, ' ').trim()
  return { name: clean(name) || 'Unknown user', email: clean(email).replace(/\s/g, '') }
}

/** Pushes that an operation remembers, and those that an export looks for on its branch. */
const maxPushes = 5

/** The options of an operation whose attempt is about to push. */
export function withPush(options: GitOptions, push: RecordedPush): GitOptions {
  const others = (options.pushed ?? []).filter(({ commit }) => commit !== push.commit)
  return { ...options, pushed: [push, ...others].slice(0, maxPushes) }
}

/** The pushes to a branch whose outcome is not recorded, the newest first: those since its last synchronisation. */
export function openPushes(operations: Pick<GitOperationRow, 'options'>[], synchronised: Date | null): RecordedPush[] {
  return operations
    .flatMap(({ options }) => options.pushed ?? [])
    .filter(({ at }) => synchronised === null || new Date(at) > synchronised)
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, maxPushes)
}

/** Synchronisations that an export considers as its base. */
const maxCandidates = 10

/** A revision that was synchronised with a commit. */
export type SynchronisedRevision = Pick<
  z.output<typeof RevisionSnapshot>['synchronised'][number],
  'revision' | 'commit' | 'ref' | 'root' | 'isPartial' | 'createdAt'
>

/** A synchronisation that is the base of an export where the repository has its commit. */
export interface BaseCandidate {
  revision: string
  commit: string
  root: string
  isPartial: boolean
  isSameBranch: boolean
}

/**
 * The synchronisations that fit an export better than the last one with the same address, the best first: those of a branch of the same
 * name, then the newest. They may be of any address, since a repository moves and has mirrors: the worker asks it for their commits.
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
      ...{ revision: each.revision, commit: each.commit, root: each.root, isPartial: each.isPartial },
      isSameBranch: each.ref === ref,
    }))
    .sort((one, other) => Number(other.isSameBranch) - Number(one.isSameBranch))
    .filter(({ commit, root }) => commits.size !== commits.add(`${commit} ${root}`).size)
    .slice(0, maxCandidates)
}

/** The operation, when this attempt holds its lease; throws `conflict` when another one does. */
export function requireLease(operation: GitOperationRow | undefined, attempt: number): GitOperationRow {
  if (operation?.state === 'running' && operation.attempts === attempt) return operation
  throw new Failure('conflict', 'Another attempt holds the lease of this operation')
}

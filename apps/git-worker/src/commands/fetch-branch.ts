import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outgoing } from '@recto/outgoing'
import { tipOf } from '../models/branches.ts'
import { ImportFailure } from '../models/import-failure.ts'
import type { Limits } from '../models/limits.ts'
import { withImportFailures } from '../models/pack-failure.ts'
import {
  addPack,
  clearRepository,
  type CloneState,
  markPartial,
  prepareRepository,
  readState,
} from './bare-repository.ts'
import { discover, type Remote, sendsPartially, type Source } from './discover.ts'
import { fetchObjects, fetchPack } from './fetch-pack.ts'
import { indexIncoming } from './index-incoming.ts'

/** The branch to fetch into a clone. */
export interface BranchRequest {
  source: Source
  ref: string
  limits: Limits
  signal: AbortSignal
  onBytes?(bytes: number): void
}

/** The tip of the branch, now in the clone. */
export interface FetchedBranch {
  oid: string
  /** The fetch was based on objects already in the clone. */
  incremental: boolean
  /** Objects over the limit were left out. */
  skipped: boolean
  /** The server that sends the files which the clone lacks; undefined for a clone that has them. */
  partial: Remote | undefined
}

/** Packs after which a clone is fetched from scratch; a partial one gets some with each import. */
const [maxPacks, maxPartialPacks] = [8, 40]

const spareBytes = 1024 * 1024

/**
 * Fetches the tip of one branch into a clone: incrementally, or from scratch where that is smaller or the increment does not apply. From a
 * server that sends partially, commits and trees are fetched, and files when they are needed.
 */
export async function fetchBranch(outgoing: Outgoing, gitdir: string, request: BranchRequest): Promise<FetchedBranch> {
  const remote = await discover(outgoing, request.source, request)
  return fetchCommit(gitdir, { outgoing, remote, request, oid: tipOf(remote.refs, request.ref) })
}

/** The commit that an export builds on: the tip of its branch, else of the default branch; undefined in an empty repository. */
export interface ExportBase extends FetchedBranch {
  /** Whether the branch exists. */
  isOfBranch: boolean
}

/** Fetches the commit that an export builds on. */
export async function fetchExportBase(
  outgoing: Outgoing,
  gitdir: string,
  request: BranchRequest,
): Promise<ExportBase | undefined> {
  const remote = await discover(outgoing, request.source, request)
  const isOfBranch = remote.refs.some(({ ref }) => ref === request.ref)
  const from = isOfBranch ? request.ref : 'HEAD'
  if (!remote.refs.some(({ ref }) => ref === from)) {
    await prepareRepository(gitdir)
    return undefined
  }
  const oid = tipOf(remote.refs, from)
  return { ...(await fetchCommit(gitdir, { outgoing, remote, request, oid })), isOfBranch }
}

async function fetchCommit(
  gitdir: string,
  { outgoing, remote, request, oid }: Omit<Fetch, 'base' | 'maxBytes'>,
): Promise<FetchedBranch> {
  await rm(incomingPack(gitdir), { force: true })
  await prepareRepository(gitdir)
  const isPartial = await sendsPartially(outgoing, remote, request.signal)
  const partial = isPartial ? remote : undefined
  const state = await stateFor(gitdir, isPartial)
  const tips = [...new Set(state.tips.values())]
  if (tips.includes(oid)) return { oid, incremental: true, skipped: false, partial }
  const fetch = (base: CloneState, maxBytes: number) =>
    withImportFailures(() => fetchIntoClone(gitdir, { outgoing, remote, request, oid, base, maxBytes }))
  if (tips.length > 0 && state.packs < (isPartial ? maxPartialPacks : maxPacks)) {
    // After a history rewrite the incremental pack can be larger than a full one.
    const limit = Math.min(request.limits.maxPack, state.bytes + spareBytes)
    const added = await fetch(state, limit).catch((error: unknown) =>
      shouldFetchFromScratch(error) ? undefined : Promise.reject(error as Error),
    )
    if (added) return { oid, incremental: true, ...added, partial }
  }
  await startClone(gitdir, isPartial)
  return { oid, incremental: false, ...(await fetch(await readState(gitdir), request.limits.maxPack)), partial }
}

/** The state of a clone that is of the wanted kind; one of the other kind starts anew. */
async function stateFor(gitdir: string, isPartial: boolean): Promise<CloneState> {
  const state = await readState(gitdir)
  if (state.isPartial === isPartial) return state
  await startClone(gitdir, isPartial)
  return readState(gitdir)
}

async function startClone(gitdir: string, isPartial: boolean): Promise<void> {
  await clearRepository(gitdir)
  if (isPartial) await markPartial(gitdir)
}

function incomingPack(gitdir: string): string {
  return join(gitdir, 'incoming.pack')
}

interface Fetch {
  outgoing: Outgoing
  remote: Remote
  request: BranchRequest
  oid: string
  base: CloneState
  maxBytes: number
}

async function fetchIntoClone(
  gitdir: string,
  { outgoing, remote, request, oid, base, maxBytes }: Fetch,
): Promise<{ skipped: boolean }> {
  const { limits, signal, onBytes, ref } = request
  const path = incomingPack(gitdir)
  const haves = [...new Set(base.tips.values())]
  try {
    const common = { haves, maxBytes, timeoutMs: limits.jobTimeoutMs, signal, path, ...(onBytes && { onBytes }) }
    const pack = base.isPartial
      ? await fetchObjects(outgoing, remote, {
          ...{ ...common, wants: [oid], shallow: base.shallow },
          ...{ withoutHistory: haves.length === 0, withoutBlobs: true },
        })
      : await fetchPack(outgoing, remote, { ...common, want: oid, shallow: base.shallow })
    const { entries, checksum, skipped } = await indexIncoming(path, limits, signal)
    await addPack(
      gitdir,
      { path, checksum, entries },
      { ...base, tips: new Map(base.tips).set(ref, oid), shallow: pack.shallow },
    )
    return { skipped }
  } finally {
    await rm(path, { force: true })
  }
}

/** Whether an error comes from a clone that lacks objects, as a killed worker or a server can leave it: it is to be fetched from scratch. */
export function isOfIncompleteClone({ incremental }: Pick<FetchedBranch, 'incremental'>, error: unknown): boolean {
  return incremental && error instanceof ImportFailure && error.code === 'invalid_repository'
}

/** The incremental pack is too large, or does not match the clone. */
function shouldFetchFromScratch(error: unknown): boolean {
  return error instanceof ImportFailure && (error.code === 'too_large' || error.code === 'invalid_repository')
}

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Outgoing, OutgoingFailure } from '@recto/outgoing'
import { ImportFailure, type Limits } from '@recto/repository-content'
import { withImportFailures } from '../failures/pack-failure.ts'
import {
  addPack,
  clearRepository,
  type CloneState,
  markPartial,
  prepareRepository,
  readState,
} from './bare-repository.ts'
import { type Remote, sendsPartially } from '../remote/discover.ts'
import { fetchObjects, fetchPack } from '../remote/fetch-pack.ts'
import { indexIncoming } from './index-incoming.ts'

/** A commit to fetch into a clone: the advertised tip of a branch. */
export interface TipRequest {
  outgoing: Outgoing
  remote: Remote
  ref: string
  oid: string
  limits: Limits
  signal: AbortSignal
  onBytes?(bytes: number): void
}

/** The tip of a branch, now in the clone. */
export interface FetchedTip {
  oid: string
  /** Whether the fetch was based on objects already in the clone. */
  incremental: boolean
  /** Whether objects over the limit were left out. */
  skipped: boolean
  /** Whether the clone has only the files that were needed so far. */
  isPartial: boolean
}

/** Packs after which a clone is fetched from scratch; a partial clone gets several with each import. */
const maxPacks = 8
const maxPartialPacks = 40

const spareBytes = 1024 * 1024

/**
 * Fetches the tip of one branch into a clone: incrementally, or from scratch when that is smaller or the increment does not apply. From a
 * server that sends partial clones, commits and trees are fetched now, and files when they are needed.
 */
export async function fetchTip(gitdir: string, request: TipRequest): Promise<FetchedTip> {
  const { outgoing, remote, signal } = request
  await rm(incomingPack(gitdir), { force: true })
  await prepareRepository(gitdir)
  const state = await readState(gitdir)
  const canSendPartially = () => sendsPartially(outgoing, remote, signal)
  // A whole clone shows that the server did not send a partial one, although it has filters in version 1 of the protocol.
  const isPresumed = state.isPartial || state.tips.size === 0
  if (!remote.capabilities.has('filter') || !(isPresumed || (await canSendPartially())))
    return fetchKind(gitdir, { ...request, isPartial: false }, state)
  try {
    return await fetchKind(gitdir, { ...request, isPartial: true }, state)
  } catch (error) {
    // Most servers with filters have them in version 2, so only those that fail are checked.
    if (signal.aborted || isTooLarge(error) || (await canSendPartially())) throw error
    return fetchKind(gitdir, { ...request, isPartial: false }, await readState(gitdir))
  }
}

/** Fetches the tip into a whole or a partial clone. A clone of the other kind is emptied first. */
async function fetchKind(
  gitdir: string,
  request: TipRequest & { isPartial: boolean },
  currentState: CloneState,
): Promise<FetchedTip> {
  const { oid, isPartial, limits } = request
  const state =
    currentState.isPartial === isPartial ? currentState : await startClone(gitdir, { isPartial, state: currentState })
  const tips = [...new Set(state.tips.values())]
  if (tips.includes(oid)) return { oid, isPartial, incremental: true, skipped: false }
  const fetch = (base: CloneState, maxBytes: number) =>
    withImportFailures(() => fetchIntoClone(gitdir, { ...request, base, maxBytes }))
  if (tips.length > 0 && state.packs < (isPartial ? maxPartialPacks : maxPacks)) {
    // After a history rewrite the incremental pack can be larger than a full one.
    const limit = Math.min(limits.maxPack, state.bytes + spareBytes)
    const increment = await fetch(state, limit).catch((error: unknown) =>
      shouldFetchFromScratch(error) ? undefined : Promise.reject(error as Error),
    )
    if (increment) return { oid, isPartial, incremental: true, ...increment }
  }
  const base = await startClone(gitdir, { isPartial, state })
  return { oid, isPartial, incremental: false, ...(await fetch(base, limits.maxPack)) }
}

/** Empties a clone, unless it is empty, and marks it as partial if it will be. */
async function startClone(
  gitdir: string,
  { isPartial, state }: { isPartial: boolean; state: CloneState },
): Promise<CloneState> {
  if (state.packs > 0 || state.isPartial) await clearRepository(gitdir)
  if (isPartial) await markPartial(gitdir)
  return readState(gitdir)
}

function incomingPack(gitdir: string): string {
  return join(gitdir, 'incoming.pack')
}

interface Fetch extends TipRequest {
  base: CloneState
  maxBytes: number
}

async function fetchIntoClone(gitdir: string, fetch: Fetch): Promise<{ skipped: boolean }> {
  const { outgoing, remote, ref, oid, base, maxBytes, limits, signal, onBytes } = fetch
  const path = incomingPack(gitdir)
  const haves = [...new Set(base.tips.values())]
  try {
    const common = { haves, maxBytes, timeoutMs: limits.jobTimeoutMs, signal, path, ...(onBytes && { onBytes }) }
    const pack = base.isPartial
      ? await fetchObjects(outgoing, remote, {
          ...common,
          wants: [oid],
          shallow: base.shallow,
          withoutHistory: haves.length === 0,
          withoutBlobs: true,
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

/** Whether the incremental pack is too large, or does not match the clone. */
function shouldFetchFromScratch(error: unknown): boolean {
  return error instanceof ImportFailure && (error.code === 'too_large' || error.code === 'invalid_repository')
}

function isTooLarge(error: unknown): boolean {
  if (error instanceof OutgoingFailure) return error.reason === 'too_large'
  return error instanceof ImportFailure && error.code === 'too_large'
}

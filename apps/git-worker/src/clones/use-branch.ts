import type { ObjectStore } from '@recto/git-pack'
import type { Outgoing } from '@recto/outgoing'
import { tipOf } from '../remote/branches.ts'
import { ImportFailure, type Limits } from '@recto/repository-content'
import { withImportFailures } from '../failures/pack-failure.ts'
import { clearRepository, prepareRepository } from './bare-repository.ts'
import type { Clone } from './clone-cache.ts'
import { discover, type Remote, type Source } from '../remote/discover.ts'
import { fetchTip, type FetchedTip } from './fetch-branch.ts'
import { missingFiles, type MissingFiles, nothingMissing } from './missing-files.ts'
import { openClone } from './open-clone.ts'

/** A branch of a repository, and the clone with its earlier fetches. */
export interface BranchRequest {
  clone: Clone
  outgoing: Outgoing
  source: Source
  ref: string
  limits: Limits
  signal: AbortSignal
  onBytes(bytes: number): void
}

/** The tip of a branch with its objects. */
export interface FetchedBranch extends FetchedTip {
  store: ObjectStore
  missing: MissingFiles
}

/** The commit that an export builds on: the tip of its branch, else of the default branch. */
export interface ExportBase extends FetchedBranch {
  remote: Remote
  /** Whether the branch exists. */
  isOfBranch: boolean
}

/** Fetches the tip of a branch and works on it. A clone that lacks objects is fetched again, once. */
export function useBranch<T>(request: BranchRequest, work: (branch: FetchedBranch) => Promise<T>): Promise<T> {
  return retryWithCleanClone(request, async () => {
    const remote = await discover(request.outgoing, request.source, request)
    return useTip(request, { remote, oid: tipOf(remote.refs, request.ref) }, work)
  })
}

/** Fetches the commit that an export builds on and works on it; undefined in an empty repository. */
export function useExportBase<T>(
  request: BranchRequest,
  work: (base: ExportBase | undefined) => Promise<T>,
): Promise<T> {
  const { clone, outgoing, source, ref, signal } = request
  return retryWithCleanClone(request, async () => {
    const remote = await discover(outgoing, source, { signal })
    const isOfBranch = remote.refs.some(each => each.ref === ref)
    const from = isOfBranch ? ref : 'HEAD'
    if (!remote.refs.some(each => each.ref === from)) {
      await clone.exclusively(() => prepareRepository(clone.gitdir), signal)
      return work(undefined)
    }
    return useTip(request, { remote, oid: tipOf(remote.refs, from) }, branch => work({ ...branch, remote, isOfBranch }))
  })
}

/** The clone lacks objects of its tips. */
class IncompleteClone extends Error {}

async function retryWithCleanClone<T>(
  { clone, signal }: Pick<BranchRequest, 'clone' | 'signal'>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof IncompleteClone)) throw error
  }
  await clone.exclusively(() => clearRepository(clone.gitdir), signal)
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof IncompleteClone)) throw error
    throw new ImportFailure('invalid_repository', 'The git server did not send all objects of the branch', {
      cause: error.cause,
    })
  }
}

/** Fetches a tip and works on it. Only the fetch needs the lock of the clone: open packs can be read at any time. */
async function useTip<T>(
  request: BranchRequest,
  { remote, oid }: { remote: Remote; oid: string },
  work: (branch: FetchedBranch) => Promise<T>,
): Promise<T> {
  const { clone, outgoing, limits, signal } = request
  const { tip, fetchedClone } = await clone.exclusively(async () => {
    const fetchedTip = await fetchTip(clone.gitdir, { ...request, remote, oid })
    return {
      tip: fetchedTip,
      fetchedClone: await withIncompleteClone(fetchedTip, () => openClone(clone.gitdir, limits)),
    }
  }, signal)
  const missing = tip.isPartial
    ? missingFiles({ outgoing, remote, clone, openClone: fetchedClone, limits, signal })
    : nothingMissing
  try {
    return await withIncompleteClone(tip, () =>
      withImportFailures(() => work({ ...tip, store: fetchedClone.store, missing })),
    )
  } catch (error) {
    // A clone that lacks objects must not be the base of an incremental fetch.
    if (tip.skipped) await clone.exclusively(() => clearRepository(clone.gitdir), signal)
    throw error
  } finally {
    await fetchedClone.close()
  }
}

async function withIncompleteClone<T>({ incremental }: FetchedTip, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isInvalid = error instanceof ImportFailure && error.code === 'invalid_repository'
    throw incremental && isInvalid ? new IncompleteClone('The clone lacks objects', { cause: error }) : error
  }
}

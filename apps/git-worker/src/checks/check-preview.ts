import { GitPackError, parseCommit } from '@recto/git-pack'
import { addedFindings, type Finding } from '@recto/repository-check'
import { ImportFailure } from '@recto/repository-content'
import { isMarkdown } from '@recto/repository-format'
import { changedPages, reportOf, type PreviewReport } from '../previews/preview-report.rules.ts'
import { readCommit } from '../exports/read-tip.ts'
import { type FetchedBranch, useBranch } from '../clones/use-branch.ts'
import { faultsOf } from './faults-of.ts'
import { listContent } from './list-content.ts'
import { mergeBase } from './merge-base.rules.ts'
import { type CheckTools, trialExport, type Trial } from './trial-export.ts'

/** The head of a pull request to check, with the branch that it is for. */
export interface Check extends Trial {
  /** The branch that the pull request is for. */
  base: string
}

/** The files and faults of a commit. */
interface Inspection {
  oid: string
  pages: Map<string, string>
  faults: Finding[]
}

/** The head has moved since it was imported. */
export class HeadMoved extends Error {}

/**
 * Checks the head of a pull request against the commit that it began from, or against its branch where the clone does not tell that commit.
 * A fault is new in it when neither has it. Throws `HeadMoved`, or `ImportFailure` where a commit cannot be read.
 */
export async function checkPreview(check: Check, tools: CheckTools): Promise<PreviewReport> {
  const { projectDirectory } = check.source
  const branch = await onBranch(check, check.base, { tools, work: tip => inspectCommit(tip, projectDirectory, tools) })
  const { head, base } = await onBranch(check, check.source.ref, {
    tools,
    async work(tip) {
      if (tip.oid !== check.commit) throw new HeadMoved('The head has moved')
      const inspection = await inspectCommit(tip, projectDirectory, tools)
      return { head: inspection, base: await inspectBase(tip, { branch, projectDirectory }, tools) }
    },
  })
  const { pages, faults } = base ?? branch
  const added = addedFindings(branch.faults, addedFindings(faults, head.faults))
  const report = reportOf(added, { pages: changedPages(pages, head.pages), roundTrip: await roundTripOf(check, tools) })
  return { ...(base && { base: base.oid }), ...report }
}

/** The commit that a pull request began from; undefined where the clone does not have all of it. */
async function inspectBase(
  tip: FetchedBranch,
  { branch, projectDirectory }: { branch: Inspection; projectDirectory: string | undefined },
  tools: CheckTools,
): Promise<Inspection | undefined> {
  try {
    const { store } = tip
    const parentsOf = async (commit: string) =>
      store.has(commit) ? readCommit(commit, await store.read(commit, 'commit')).parents : undefined
    const oid = await mergeBase({ head: tip.oid, branch: branch.oid }, parentsOf)
    if (oid === undefined || !store.has(oid)) return undefined
    if (oid === branch.oid) return branch
    return await inspectCommit({ ...tip, oid }, projectDirectory, tools)
  } catch (error) {
    const isUnreadable = error instanceof GitPackError || (error instanceof ImportFailure && !error.transient)
    if (!isUnreadable) throw error
    return undefined
  }
}

/** An export that cannot be tried is no fault of the pull request. */
async function roundTripOf(check: Check, tools: CheckTools): Promise<PreviewReport['roundTrip']> {
  try {
    return await trialExport(check, tools)
  } catch (error) {
    if (!(error instanceof ImportFailure) || error.transient) throw error
    return { state: 'unknown', paths: [] }
  }
}

function onBranch<T>(
  { source }: Check,
  ref: string,
  { tools, work }: { tools: CheckTools; work(branch: FetchedBranch): Promise<T> },
): Promise<T> {
  const { outgoing, limits, signal, cache } = tools
  return cache.use(source, clone =>
    useBranch({ clone, outgoing, source, ref, limits, signal, onBytes: () => undefined }, work),
  )
}

async function inspectCommit(
  branch: FetchedBranch,
  project: string | undefined,
  tools: CheckTools,
): Promise<Inspection> {
  const { oid, store } = branch
  const { tree } = parseCommit(await store.read(oid, 'commit'))
  const listing = await listContent(branch, { tree, project }, tools)
  const pages = listing.files.filter(({ path }) => isMarkdown(path)).map(({ path, oid: page }) => [path, page] as const)
  return { oid, pages: new Map(pages), faults: await faultsOf(branch, listing, project) }
}

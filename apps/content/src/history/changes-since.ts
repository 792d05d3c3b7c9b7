import type { ResolvedRevision } from '../reading/resolve-revision.ts'
import { revisionLookup } from '../reading/revision-lookup.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import type { Context } from '../shared/context.ts'
import { compareRevisions, emptyContent } from './compare-revisions.ts'
import { semanticChanges, type SemanticChange } from './semantic-changes.ts'

/** Finds the changes of a revision since another one; without another one, all content is new. */
export async function changesSince(
  before: RevisionRow | undefined,
  { revision, presentation }: Pick<ResolvedRevision, 'revision' | 'presentation'>,
  context: Context,
): Promise<SemanticChange[]> {
  const comparison = await compareRevisions(context.db, before ?? emptyContent(revision), revision)
  const { pages } = comparison
  if (before && (pages.before.hasLinks || pages.after.hasLinks))
    pages.lookups = { before: await revisionLookup(context, before), after: await revisionLookup(context, revision) }
  return semanticChanges(comparison, presentation)
}

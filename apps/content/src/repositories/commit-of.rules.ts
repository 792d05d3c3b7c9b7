import type { RevisionRow } from '../revisions/revision.entity.ts'

/** Whether an export made a commit from this revision, so that both have the same content. */
export function isCommitOf(
  { git, configuration }: Pick<RevisionRow, 'git' | 'configuration'>,
  commit: { oid: string; root: string },
): boolean {
  return git?.oid === commit.oid && git.createdByService && !git.isPartial && configuration?.root === commit.root
}

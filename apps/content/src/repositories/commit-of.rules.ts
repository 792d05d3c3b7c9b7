import type { RevisionRow } from '../revisions/revision.entity.ts'

/** Whether a revision is the content of a commit because an export made the commit of it. */
export function isCommitOf(
  { git, configuration }: Pick<RevisionRow, 'git' | 'configuration'>,
  commit: { oid: string; root: string },
): boolean {
  return git?.oid === commit.oid && git.createdByService && !git.isPartial && configuration?.root === commit.root
}

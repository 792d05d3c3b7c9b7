/** The content that a push replaces: main content, a new change request, or an existing one. */
export type ReplacedContent =
  | { kind: 'main'; main: string }
  | { kind: 'new-change-request'; main: string; isFormerMain: boolean }
  | { kind: 'change-request'; revision: string; mainAtUpdate: string }

/**
 * The revision that a push replaces; undefined when it is refused, since the folder was read from something else (`base`):
 *
 * | content                    | `base`                                          | replaces                        |
 * | -------------------------- | ----------------------------------------------- | ------------------------------- |
 * | main content               | none, or main content                           | main content                    |
 * | main content               | another revision                                | nothing, or by `force` main content |
 * | a new change request       | none, or main content                           | main content, from which it starts |
 * | a new change request       | a former main content                           | that, from which it starts      |
 * | a new change request       | another revision                                | nothing, or by `force` main content |
 * | a change request           | none, its content, or the main content that it has | its content                  |
 * | a change request           | another revision                                | nothing, or by `force` its content |
 *
 * A change request has the main content that it started from, or was last updated from: a folder of an earlier one would undo the changes
 * since.
 */
export function revisionToReplace(
  content: ReplacedContent,
  { base, force }: { base?: string | undefined; force: boolean },
): string | undefined {
  const current = content.kind === 'change-request' ? content.revision : content.main
  if (base === undefined || base === current) return current
  if (content.kind === 'new-change-request' && content.isFormerMain) return base
  if (content.kind === 'change-request' && base === content.mainAtUpdate) return current
  return force ? current : undefined
}

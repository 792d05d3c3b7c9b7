import { unparsedPageOutline } from '@recto/markdown'
import { fieldFault } from '@recto/operation'
import { readsSpecifications } from '../computed-pages/specifications.policy.ts'
import { orFallback, type MarkdownPool } from '../documents/parse-once.ts'
import { findNaming } from '../links/spec-references.repository.ts'
import type { Context } from '../shared/context.ts'
import type { Change, ChangeOf } from './batch.ts'

/**
 * Throws `not_found` for a text that names a specification which its author does not read, unless main content of the space names it
 * already: visitors of sites read the specifications that pages name.
 */
export async function requireNamedSpecifications(
  changes: readonly Change[],
  { spaceId, organizationId }: { spaceId: string; organizationId: string },
  { actor, db, markdown: pool }: Context,
): Promise<void> {
  if (readsSpecifications(actor, organizationId)) return
  for (const [at, change] of changes.entries()) {
    if (change.operation !== 'insert_page' && change.operation !== 'update_page') continue
    for (const slug of await slugsIn(change.document ?? {}, pool))
      if ((await findNaming(db, [spaceId], slug)).length === 0) {
        const form = change.document?.document ? 'document' : 'markdown'
        const message = `names the specification ${slug}, which is none that you can read`
        throw fieldFault(`body.changes.${at}.document.${form}`, message, 'not_found')
      }
  }
}

type Text = NonNullable<ChangeOf<'update_page'>['document']>

/** The specifications that a text names, each once. */
async function slugsIn({ markdown, document }: Text, pool: MarkdownPool): Promise<ReadonlySet<string>> {
  if (document) return new Set(slugsOfBlocks(document))
  if (markdown?.includes('openapi') !== true) return new Set()
  const { references } = await orFallback(pool.run('outline', { markdown }), () => unparsedPageOutline(markdown))
  return new Set(references.flatMap(({ kind, target }) => (kind === 'openapi' ? [target] : [])))
}

/** The specifications that references of blocks name, however deep they are. */
function slugsOfBlocks(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { kind, spec } = value as { kind?: unknown; spec?: unknown }
  const own = kind === 'openapi' && typeof spec === 'string' ? [spec] : []
  return [...own, ...Object.values(value).flatMap(slugsOfBlocks)]
}

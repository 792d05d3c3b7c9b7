import type { ConvertedPage } from '@recto/convert'
import { unparsedPageOutline } from '@recto/markdown'
import { Failure, fieldFault } from '@recto/operation'
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
  { actor, db, markdown }: Context,
): Promise<void> {
  if (readsSpecifications(actor, organizationId)) return
  for (const [at, change] of changes.entries()) {
    if (change.operation !== 'insert_page' && change.operation !== 'update_page') continue
    const slug = await findUnnamed(change.document ?? {}, spaceId, { db, markdown })
    if (slug === undefined) continue
    const form = change.document?.document ? 'document' : 'markdown'
    const message = `names the specification ${slug}, which is none that you can read`
    throw fieldFault(`body.changes.${at}.document.${form}`, message, 'not_found')
  }
}

/** The same for pages that are imported by somebody who reads no specification of the organization. */
export async function requireNamedInPages(
  pages: readonly ConvertedPage[],
  { spaceId }: { spaceId: string },
  tools: Tools,
): Promise<void> {
  for (const { file, markdown = '', pages: below } of pages) {
    const slug = await findUnnamed({ markdown }, spaceId, tools)
    if (slug !== undefined) {
      const message = `${file} names the specification ${slug}, which is none that you can read`
      throw new Failure('not_found', message)
    }
    await requireNamedInPages(below, { spaceId }, tools)
  }
}

type Tools = Pick<Context, 'db' | 'markdown'>

/** The first specification that a text names and main content of the space does not. */
async function findUnnamed(text: Text, spaceId: string, { db, markdown }: Tools): Promise<string | undefined> {
  for (const slug of await slugsIn(text, markdown))
    if ((await findNaming(db, [spaceId], slug)).length === 0) return slug
  return undefined
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

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
  { actor, db, markdown: pool }: Context,
): Promise<void> {
  if (readsSpecifications(actor, organizationId)) return
  for (const [at, change] of changes.entries()) {
    if (change.operation !== 'insert_page' && change.operation !== 'update_page') continue
    const slug = await findUnnamed(await slugsIn(change.document ?? {}, pool), spaceId, db)
    if (slug === undefined) continue
    const form = change.document?.document ? 'document' : 'markdown'
    throw fieldFault(`body.changes.${at}.document.${form}`, faultOf(slug), 'not_found')
  }
}

/** The same for pages that are imported by somebody who reads no specification of the organization. */
export async function requireNamedInPages(
  pages: readonly ConvertedPage[],
  { spaceId }: { spaceId: string },
  { db, markdown: pool }: Tools,
): Promise<void> {
  const files = new Map<string, string>()
  for (const { file = '', markdown } of withPagesBelow(pages))
    for (const slug of await slugsIn({ markdown }, pool)) if (!files.has(slug)) files.set(slug, file)
  const slug = await findUnnamed(files.keys(), spaceId, db)
  if (slug !== undefined) throw new Failure('not_found', `${files.get(slug)} ${faultOf(slug)}`)
}

type Tools = Pick<Context, 'db' | 'markdown'>

const faultOf = (slug: string) => `names the specification ${slug}, which is none that you can read`

function withPagesBelow(pages: readonly ConvertedPage[]): ConvertedPage[] {
  return pages.flatMap(page => [page, ...withPagesBelow(page.pages)])
}

/** The first specification that main content of a space does not name. */
async function findUnnamed(slugs: Iterable<string>, spaceId: string, db: Tools['db']): Promise<string | undefined> {
  for (const slug of slugs) if ((await findNaming(db, [spaceId], slug)).length === 0) return slug
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

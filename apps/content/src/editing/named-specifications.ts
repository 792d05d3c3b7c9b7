import { unparsedPageOutline } from '@recto/markdown'
import { fieldFault } from '@recto/operation'
import { readsSpecifications } from '../computed-pages/specifications.policy.ts'
import { orFallback } from '../documents/parse-once.ts'
import { findNaming } from '../links/spec-references.repository.ts'
import * as spaces from '../resources/spaces.repository.ts'
import type { Context } from '../shared/context.ts'
import type { Change } from './batch.ts'

/** A field of a change whose text names specifications. */
interface NamedIn {
  field: string
  slugs: string[]
}

/**
 * Throws `not_found` for a text that names a specification which its author does not read, unless main content of the space names it
 * already: visitors of sites read the specifications that pages name.
 */
export async function requireNamedSpecifications(
  changes: readonly Change[],
  spaceId: string,
  context: Context,
): Promise<void> {
  const texts = changes.flatMap((change, at) => textOf(change, at) ?? [])
  if (texts.length === 0) return
  const space = await spaces.find(context.db, spaceId)
  if (!space || readsSpecifications(context.actor, space.organizationId)) return
  for (const text of texts) {
    const { field, slugs } = await specificationsIn(text, context)
    for (const slug of slugs)
      if ((await findNaming(context.db, [spaceId], slug)).length === 0)
        throw fieldFault(field, `names the specification ${slug}, which is none that you can read`, 'not_found')
  }
}

interface Text {
  at: number
  markdown?: string | undefined
  document?: object | undefined
}

/** The text of a change, where it may have blocks of specifications. */
function textOf(change: Change, at: number): Text | undefined {
  if (change.operation !== 'insert_page' && change.operation !== 'update_page') return undefined
  const { markdown, document } = change.document ?? {}
  return markdown?.includes('openapi') || document ? { at, markdown, document } : undefined
}

async function specificationsIn({ at, markdown, document }: Text, { markdown: pool }: Context): Promise<NamedIn> {
  const place = `body.changes.${at}.document`
  if (document) return { field: `${place}.document`, slugs: [...new Set(slugsOfBlocks(document))] }
  if (markdown === undefined) return { field: place, slugs: [] }
  const { references } = await orFallback(pool.run('outline', { markdown }), () => unparsedPageOutline(markdown))
  const slugs = references.filter(({ kind }) => kind === 'openapi').map(({ target }) => target)
  return { field: `${place}.markdown`, slugs: [...new Set(slugs)] }
}

/** The specifications that references of blocks name, however deep they are. */
function slugsOfBlocks(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { kind, spec } = value as { kind?: unknown; spec?: unknown }
  const own = kind === 'openapi' && typeof spec === 'string' ? [spec] : []
  return [...own, ...Object.values(value).flatMap(slugsOfBlocks)]
}

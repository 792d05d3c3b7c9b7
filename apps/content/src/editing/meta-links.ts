import type { PageMetaLinks } from '@recto/markdown'
import { fieldFault, toFailure } from '@recto/operation'
import type { PageRecord } from '../revisions/records.ts'
import { batchTarget, targetContext } from './batch-targets.ts'
import type { Change, ChangeOf, Step } from './batch.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import type { Context } from '../shared/context.ts'
import { requirePage } from './place-page.ts'

type Input = NonNullable<ChangeOf<'update_page'>['metaLinks']>
type Target = NonNullable<Input['canonical']>

/** The meta links of a change as the page's front matter writes them; null removes them. Throws `conflict` for a page that the space lacks. */
export function writtenMetaLinks(
  metaLinks: Input | null | undefined,
  page: PageRecord,
  step: Step,
): PageMetaLinks | null | undefined {
  if (!metaLinks) return metaLinks
  const { canonical, alternates } = metaLinks
  const textOf = (target: Target, field: string) => writtenTarget(target, { page, field: `metaLinks.${field}`, step })
  if (!canonical && !alternates?.length) return null
  return {
    ...(canonical && { canonical: textOf(canonical, 'canonical') }),
    ...(alternates?.length && { alternates: alternates.map((target, at) => textOf(target, `alternates.${at}`)) }),
  }
}

/** Throws `not_found` for a space of meta links that the caller may not read. */
export async function requireLinkedSpaces(
  changes: readonly Change[],
  spaceId: string,
  context: Context,
): Promise<void> {
  for (const [at, change] of changes.entries()) {
    const { canonical, alternates = [] } = ('metaLinks' in change && change.metaLinks) || {}
    const targets = [...(canonical ? [{ field: 'canonical', target: canonical }] : []), ...alternates.map((target, number) => ({ field: `alternates.${number}`, target }))] // prettier-ignore
    for (const { field, target } of targets) {
      const space = target.kind === 'page' ? target.space : undefined
      if (space === undefined || space === spaceId) continue
      await readableSpace(context, space).catch((error: unknown) => {
        if (toFailure(error).code !== 'not_found') throw error
        throw fieldFault(`body.changes.${at}.metaLinks.${field}.space`, 'is no space that you can read', 'not_found')
      })
    }
  }
}

function writtenTarget(target: Target, { page, field, step }: { page: PageRecord; field: string; step: Step }): string {
  // Front matter has no character references.
  if (target.kind === 'url') return target.url
  const { place, refs } = step.batch
  const isOwn = target.space === undefined || target.space === place.spaceId
  if (isOwn) requirePage(target.page, `${field}.page`, step)
  return batchTarget(target, targetContext(page, step.batch), { refs })
}

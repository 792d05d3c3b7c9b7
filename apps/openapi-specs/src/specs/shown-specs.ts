import type { Actor, Visitor } from '@recto/actor'
import { LRUCache } from 'lru-cache'
import type { BaseContext } from '../shared/context.ts'
import type { SpecRow } from './spec.entity.ts'

/** Milliseconds for which an answer of content is kept: readers ask for every block of a page. */
const ttl = 5_000

/** Content is asked once at a time. Visitors of one version of a site with the same claims share its answer. */
const answers = new LRUCache<string, boolean, () => Promise<boolean>>({
  max: 10_000,
  ttl,
  ignoreFetchAbort: true,
  fetchMethod: (_key, _stale, { context: ask }) => ask(),
})

/** Whether a visitor of a site may read a specification of its organization: a public one, or one that a page names which they see. */
export function isShownTo(
  visitor: Visitor,
  { organizationId: organization, slug, visibility }: SpecRow,
  { actor, content }: Pick<BaseContext, 'content'> & { actor: Actor },
): Promise<boolean> {
  if (visibility === 'public') return Promise.resolve(true)
  const key = JSON.stringify([organization, slug, visitor])
  const ask = async () => (await content.showsSpecification({ body: { actor, organization, spec: slug } })).shown
  return answers.forceFetch(key, { context: ask })
}

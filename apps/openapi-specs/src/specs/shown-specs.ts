import type { Actor, Visitor } from '@recto/actor'
import { LRUCache } from 'lru-cache'
import type { BaseContext } from '../shared/context.ts'
import type { SpecRow } from './spec.entity.ts'

/** Milliseconds for which an answer of content is kept: readers ask for every block of a page. */
const keptFor = 5_000

/** Answers in progress, too, so that content is asked once. Visitors of one version of a site with the same claims share them. */
const answers = new LRUCache<string, Promise<boolean>>({ max: 10_000, ttl: keptFor })

/** Whether a visitor of a site may read a specification of its organization: a public one, or one that a page names which they see. */
export function isShownTo(
  visitor: Visitor,
  { organizationId: organization, slug, visibility }: SpecRow,
  { actor, content }: Pick<BaseContext, 'content'> & { actor: Actor },
): Promise<boolean> {
  if (visibility === 'public') return Promise.resolve(true)
  const key = JSON.stringify([organization, slug, visitor])
  const known = answers.get(key)
  if (known) return known
  const asked = content.showsSpecification({ body: { actor, organization, spec: slug } }).then(({ shown }) => shown)
  answers.set(key, asked)
  asked.catch(() => answers.delete(key))
  return asked
}

import type { Actor } from '@recto/actor'
import { maxTargets } from '@recto/contracts-content-bus'
import { fieldFault } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import type { NamedTarget, UnpublishedTarget } from './references.rules.ts'
import type { Structure } from '../structure/structure.rules.ts'

type Asking = Pick<BaseContext, 'content'> & { actor: Actor }

/** Throws `not_found`, naming the field, for a user, a collection or another target that is no part of a site, and that the caller does not see. There are no tags. */
export async function requireUnpublished(
  { content, actor }: Asking,
  { organization, here }: { organization: string; here: string | undefined },
  targets: readonly UnpublishedTarget[],
): Promise<void> {
  const missing = ({ field, to }: UnpublishedTarget) =>
    fieldFault(field, `there is no such ${nouns[to.kind]}`, 'not_found')
  const requests = targets.map(target => {
    const { to } = target
    if (to.kind === 'tag') throw missing(target)
    const space = to.kind === 'reusable-content' ? (to.space ?? here) : undefined
    return { target, reference: to.kind === 'reusable-content' ? { ...to, ...(space !== undefined && { space }) } : to }
  })
  for (let at = 0; at < requests.length; at += maxTargets) {
    const some = requests.slice(at, at + maxTargets)
    const body = { actor, organization, targets: some.map(({ reference }) => reference) }
    const [first] = (await content.checkTargets({ body })).missing
    const stray = some[first ?? -1]
    if (stray) throw missing(stray.target)
  }
}

const nouns = {
  user: 'user',
  collection: 'collection',
  'reusable-content': 'reusable content',
  tag: 'tag',
  openapi: 'specification',
}

/** Throws `not_found`, naming the field, where the site does not show the space of a target, or the caller sees no such page or file in it; one call to content. */
export async function requireTargets(
  { content, actor }: Asking,
  { organization, structure }: { organization: string; structure: Structure },
  targets: readonly NamedTarget[],
): Promise<void> {
  const spaceIds = new Set(structure.siteSpaces.map(({ spaceId }) => spaceId))
  const stray = targets.find(({ space }) => space === undefined || !spaceIds.has(space))
  if (stray) throw fieldFault(stray.field, 'the site shows no such space', 'not_found')
  const referenceFields = targets.flatMap(({ field, space = '', target }) =>
    target ? [{ field, reference: { space, ...target } }] : [],
  )
  if (referenceFields.length === 0) return
  const references = referenceFields.map(({ reference }) => reference)
  const { missing } = await content.checkReferences({ body: { actor, organization, references } })
  const first = referenceFields[missing[0] ?? -1]
  if (first) throw fieldFault(first.field, `there is no such ${first.reference.kind}`, 'not_found')
}

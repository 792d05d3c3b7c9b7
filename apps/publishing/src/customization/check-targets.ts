import type { Actor } from '@recto/actor'
import { fieldFault } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import type { NamedTarget } from './references.rules.ts'
import type { Structure } from '../structure/structure.rules.ts'

type Asking = Pick<BaseContext, 'content'> & { actor: Actor }

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

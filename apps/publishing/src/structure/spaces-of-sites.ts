import type { Space } from '@recto/contracts-shared'
import type { Actor } from '@recto/actor'
import { atLeast } from '@recto/actor'
import { fieldFault, Failure } from '@recto/operation'
import type { z } from 'zod'
import type { BaseContext } from '../shared/context.ts'

type ReadSpace = z.output<typeof Space>
/** Spaces as a caller reads them, by id. */
export type ReadableSpaces = ReadonlyMap<string, ReadSpace>

type Asking = Pick<BaseContext, 'content'> & { actor: Actor }

const spacesOfOneCall = 1000

/** The spaces among these that the caller can read, by id; one call to content for up to 1,000 of them. */
export function readableSpaces(asking: Asking, organization: string, ids: readonly string[]): Promise<ReadableSpaces> {
  return describedSpaces(asking, ids, { organization })
}

/**
 * The spaces of a site that the caller can read, and those that the owner of a token which is limited to the site can: their names are in
 * the structure of the site, what is in them is not.
 */
export function listedSpaces(asking: Asking, organization: string, ids: readonly string[]): Promise<ReadableSpaces> {
  return describedSpaces(asking, ids, { organization, onSite: true })
}

async function describedSpaces(
  { content, actor }: Asking,
  ids: readonly string[],
  request: { organization: string; onSite?: boolean },
): Promise<ReadableSpaces> {
  const unique = [...new Set(ids)]
  const spaceById = new Map<string, ReadSpace>()
  for (let at = 0; at < unique.length; at += spacesOfOneCall) {
    const spaces = unique.slice(at, at + spacesOfOneCall)
    const described = await content.describeSpaces({ body: { actor, spaces, ...request } })
    for (const { space } of described.spaces) spaceById.set(space.id, space)
  }
  return spaceById
}

/** The failure for a space of a site that is not there, or that the caller does not see. */
export function noSuchSiteSpace(): Failure {
  return new Failure('not_found', 'The site has no such space')
}

/** A space that the caller may publish, as `requirePublishable`. */
export async function requirePublishableSpace(asking: Asking, organization: string, id: string): Promise<ReadSpace> {
  const [space] = await requirePublishable(asking, organization, [{ id, field: 'body.spaceId' }])
  if (!space) throw new RangeError('a space was asked for')
  return space
}

/** Throws `not_found` where the caller sees no such page in the main content of a space. */
export async function requirePage(
  { content, actor }: Asking,
  organization: string,
  { space, page }: { space: string; page: string },
): Promise<void> {
  const references = [{ space, kind: 'page' as const, id: page }]
  const { missing } = await content.checkReferences({ body: { actor, organization, references } })
  if (missing.length > 0) throw fieldFault('body.pageId', 'the space has no such page', 'not_found')
}

/** Spaces that the caller may publish. Throws `not_found`, naming the field, for one that they cannot read, and `forbidden` for one on which their role is below `create`. */
export async function requirePublishable(
  { content, actor }: Asking,
  organization: string,
  spaceFields: readonly { id: string; field: string }[],
): Promise<ReadSpace[]> {
  if (spaceFields.length === 0) return []
  const spaces = [...new Set(spaceFields.map(({ id }) => id))]
  const described = await content.describeSpaces({ body: { actor, organization, spaces } })
  const byId = new Map(described.spaces.map(each => [each.space.id, each]))
  return spaceFields.map(({ id, field }) => {
    const space = byId.get(id)
    if (!space) throw fieldFault(field, 'there is no such space', 'not_found')
    if (!atLeast(space.role, 'create'))
      throw new Failure('forbidden', `${field}: the role ${space.role} on the space does not allow publishing it`)
    return space.space
  })
}

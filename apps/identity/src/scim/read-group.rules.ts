import { canonicalValue, type Attributes } from './attributes.rules.ts'
import { keptAttributes, requireTexts } from './read-user.rules.ts'
import { scimFault } from './scim-fault.ts'

/** A group as a client sends it, without its members. */
export interface ScimGroupInput {
  title: string
  externalId: string | null
  attributes: Attributes
}

const maxTitle = 64
const derived = ['schemas', 'id', 'meta', 'displayName', 'externalId', 'members']

/** Reads a group; throws `invalidValue` with the attribute that is at fault. */
export function readGroup(body: Attributes): ScimGroupInput {
  const group = canonicalValue(body) as Attributes
  requireTexts(group, ['displayName', 'externalId'])
  const title = ((group['displayName'] as string | null | undefined) ?? '').trim()
  const length = Array.from(title).length
  if (length === 0 || length > maxTitle)
    throw scimFault('invalidValue', `displayName: must have 1 to ${maxTitle} characters`)
  return {
    title,
    externalId: (group['externalId'] as string | null | undefined) ?? null,
    attributes: keptAttributes(group, derived),
  }
}

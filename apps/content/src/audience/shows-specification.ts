import type { Actor } from '@recto/actor'
import { showsSpecificationIn } from './content-view.ts'
import { findNaming } from '../links/spec-references.repository.ts'
import { shownSpaces } from '../spaces/shown-spaces.ts'
import type { BaseContext } from '../shared/context.ts'
import * as revisions from '../revisions/revisions.repository.ts'

interface SpecificationQuestion {
  actor: Actor
  organization: string
  spec: string
}

/**
 * Whether a visitor sees a specification, in a page computed from it or in a text with one of its blocks: in main content of the spaces
 * of their token, or in the revision that they preview.
 */
export async function showsSpecification(base: BaseContext, question: SpecificationQuestion): Promise<boolean> {
  const { actor, organization, spec } = question
  const { visitor } = actor
  if (!visitor) return false
  const tools = { ...base, actor, visitor }
  const spaces = await shownSpaces(base.db, { actor, organization, ids: visitor.spaces })
  const current = new Map(spaces.map(({ id, revision }) => [id, revision]))
  const naming = await findNaming(base.db, [...current.keys()], spec)
  const ids = [...new Set(naming.map(({ spaceId }) => current.get(spaceId) ?? '')), visitor.revision ?? '']
  for (const revision of await revisions.findAll(base.db, ids))
    if (current.has(revision.spaceId) && (await showsSpecificationIn(tools, revision, spec))) return true
  return false
}

import { atLeast, roleBeyondResources, type Actor } from '@recto/actor'
import { fieldFault } from '@recto/operation'

/**
 * Whether an actor reads every specification of an organization: they belong to it, as to none of its spaces. Others, guests and tokens
 * that are limited to resources among them, read what pages show that they see, and bind no specification to a space.
 */
export function readsSpecifications(actor: Actor, organization: string): boolean {
  return atLeast(roleBeyondResources(actor, organization), 'read')
}

/** Throws `not_found` where the actor may not have a new space computed from a specification, be it there or not. */
export function requireSpecification(actor: Actor, organization: string): void {
  if (!readsSpecifications(actor, organization))
    throw fieldFault(
      'body.computedSource.dependencies.spec.ref.spec',
      'is no specification that you can read',
      'not_found',
    )
}

import type { UserRow } from './user.entity.ts'

/**
 * Whether an organization may take the email of a user as theirs: a platform administrator asserted it, or its own single sign-on
 * did. What the identity provider of one organization asserts says nothing to the others.
 */
export function isEmailProven({ emailAssertedBy }: Pick<UserRow, 'emailAssertedBy'>, organization: string): boolean {
  return emailAssertedBy === null || emailAssertedBy === organization
}

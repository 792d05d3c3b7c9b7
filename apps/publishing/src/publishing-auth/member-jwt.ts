import { verifyVisitorClaims } from '@recto/actor/visitor-claims'
import type { Secrets } from '@recto/operation'
import type { VisitorJwt } from './visitor-jwt.ts'

/**
 * Verifies the JWT with which identity says to the sites of an organization who a member is. Members with a role see its sites, guests do
 * not. Conditions see `sub` (the id of the user), `email`, `name`, `organization`, `role` and `teams` (ids).
 */
export async function verifyMemberJwt(
  token: string,
  installation: { organization: string; publicUrl: string },
  secret: Secrets,
): Promise<VisitorJwt> {
  const claims = await verifyVisitorClaims(token, installation, secret)
  if (claims === 'expired') return { refusal: 'The login has expired' }
  if (!claims) return { refusal: 'The login is not valid' }
  if (claims.role === 'guest') return { refusal: 'Guests of the organization do not see this site' }
  return { claims: { ...claims } }
}

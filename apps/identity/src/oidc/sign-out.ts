import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { OpenIdFailure, type LogoutToken } from '@recto/openid'
import { Failure } from '@recto/operation'
import * as organizations from '../organizations/organizations.repository.ts'
import type { BaseContext } from '../shared/context.ts'
import { revokeTokens } from './end-sign-ins.ts'
import { endsSignIns, type ActiveProvider } from './provider.rules.ts'
import * as providers from './providers.repository.ts'
import { registrationOf } from './registration.ts'
import * as signIns from './sign-ins.repository.ts'

const maxStoredMs = 86_400_000
/** As long as a sign-in may take, so that one that is under way when its session ends is refused. */
const minStoredMs = 600_000
const clockSkewMs = 60_000
/** Faults that are no verdict on the token: the provider may send it again. */
const temporary = ['discovery', 'keys']

interface Logout extends Omit<LogoutToken, 'issuedAt' | 'expiresAt'> {
  issuedAt: Date
  expiresAt: Date
}

/** Ends the tokens of a session that ended at the provider. Throws `invalid_request` for a logout token that is not valid; the reason is logged only. */
export async function signOut(context: BaseContext, provider: ActiveProvider, token: string): Promise<void> {
  try {
    const logout = await verify(context, provider, token)
    await context.transaction(tx => endSessions(tx, provider, logout))
  } catch (error) {
    if (!(error instanceof LogoutRefused || error instanceof OpenIdFailure)) throw error
    const { reason, message: detail } = error
    const place = { provider: provider.id, organization: provider.organizationId }
    context.log.warn({ ...place, reason, detail }, 'a logout token was refused')
    if (temporary.includes(reason))
      throw new Failure('unavailable', 'The keys of the provider cannot be read', { retryAfter: 60 })
    throw new Failure('invalid_request', 'The logout token was refused: the log of the installation says why')
  }
}

class LogoutRefused extends Error {
  readonly reason: string

  constructor(reason: string) {
    super('')
    this.reason = reason
  }
}

async function verify(context: BaseContext, provider: ActiveProvider, token: string): Promise<Logout> {
  const logout = await context.openId.verifyLogoutToken(registrationOf(provider, context), token)
  const now = Date.now()
  const expiresAt = Math.max(logout.expiresAt + clockSkewMs, now + minStoredMs)
  return {
    ...logout,
    issuedAt: new Date(logout.issuedAt),
    expiresAt: new Date(Math.min(expiresAt, now + maxStoredMs)),
  }
}

async function endSessions(tx: Transaction, provider: ActiveProvider, logout: Logout): Promise<void> {
  const { organizationId: organization, id } = provider
  await organizations.lockOrganizations(tx, [organization])
  const current = await providers.getForKeyShare(tx, { organization, provider: id })
  if (endsSignIns(provider, current)) throw new LogoutRefused('provider_changed')
  const { tokenId, sub, sid, issuedAt, expiresAt } = logout
  const row = { providerId: id, tokenId, subject: sub ?? null, session: sid ?? null, issuedAt, expiresAt }
  if (!(await signIns.insertLogout(tx, row))) throw new LogoutRefused('replayed')
  const revoked = await revokeTokens(tx, id, { sub, sid })
  for (const user of new Set(revoked.map(({ userId }) => userId))) {
    const revokedTokens = revoked.filter(({ userId }) => userId === user).length
    tx.record(recorded('member.signed-out', { organization, user, oidcProvider: id, details: { revokedTokens } }))
  }
}

import { failure, recordedCall, recordedOnce, type RecordedCall } from '@recto/testing'
import { expect } from '@jest/globals'
import type { IdentitySetup } from '../identity-setup.ts'
import { added, email, fields, needle, type RecordedOrganization } from '../recorded-organization.ts'
import { aBrowser } from './browser.ts'
import { anOidcSignOn, reachesLoopback, type OidcSignOn } from './sign-on.ts'

/** Calls about OpenID providers of an organization, with the changes that they record; `environment` lets identity reach the provider that they use, and `stop` ends it. */
export function oidcCalls(
  identity: () => IdentitySetup,
  { as, id, ids, params, person }: RecordedOrganization,
): { calls: RecordedCall[]; environment: Record<string, string>; stop: () => Promise<void> } {
  let signOn: OidcSignOn
  const provider = () => ({ ...params(), oidcProviderId: id('oidcProvider') })
  const create = async () => {
    const organization = { id: id('organization'), admin: person('ada') }
    signOn = await anOidcSignOn(identity(), { organization, label: needle, defaultRole: 'read' })
    ids['oidcProvider'] = signOn.params.oidcProviderId
  }
  const signIn = async () => {
    const actor = await identity().actorOf(await signOn.token(email('ivy')))
    Object.assign(ids, { ivy: actor?.userId, token: actor?.ssoToken })
  }
  const signOut = async () => {
    const token = await signOn.provider.logoutToken({ sub: `sub of ${email('ivy')}` })
    await (await identity().as('nobody')).receiveOidcLogout({ params: provider(), body: { logout_token: token } })
  }
  const answerOfNobody = async () => {
    const url = new URL(`${signOn.startUrl.replace(/start$/, 'callback')}?state=${needle}&code=${needle}`)
    expect(await failure(aBrowser(identity()).open(url))).toBe('unauthenticated')
  }
  return {
    calls: [
      recordedCall('createOidcProvider', 'a provider', create, ['oidc-provider.created', 'oidcProvider']),
      recordedCall('completeOidcSignIn', 'a user who is new', signIn, added('ivy', 'read', true), [
        'member.signed-in',
        'user:ivy oidcProvider token',
      ]),
      recordedCall('completeOidcSignIn', 'an answer that nobody asked for', answerOfNobody, [
        'member.sign-in.refused',
        'oidcProvider',
        { reason: 'browser' },
      ]),
      recordedCall('receiveOidcLogout', 'the end of a session', signOut, [
        'member.signed-out',
        'user:ivy oidcProvider',
        { revokedTokens: 1 },
      ]),
      ...recordedOnce(
        'updateOidcProvider',
        async () =>
          (await as('ada')).updateOidcProvider({ params: provider(), body: { emailDomains: ['needle.test'] } }),
        ['oidc-provider.updated', 'oidcProvider', { ...fields('emailDomains'), revokedTokens: 0 }],
      ),
      ...recordedOnce('deleteOidcProvider', async () => (await as('ada')).deleteOidcProvider({ params: provider() }), [
        'oidc-provider.deleted',
        'oidcProvider',
        { revokedTokens: 0 },
      ]),
    ],
    environment: reachesLoopback,
    stop: () => signOn.provider.stop(),
  }
}

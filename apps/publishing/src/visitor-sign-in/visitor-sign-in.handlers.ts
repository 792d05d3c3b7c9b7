import { visitorSignInPaths, visitorSignIns } from '@recto/contracts-publishing'
import { Failure, feature, fieldFault } from '@recto/operation'
import * as siteAuth from '../publishing-auth/site-auth.repository.ts'
import * as siteOidc from '../publishing-auth/site-oidc.repository.ts'
import type { VisitedSites } from '../published-sites/visited-sites.ts'
import type { BaseContext } from '../shared/context.ts'
import * as sites from '../sites/sites.repository.ts'
import { hashOf, openContent } from '../visitor-sessions/session-content.ts'
import * as sessions from '../visitor-sessions/visitor-sessions.repository.ts'
import { askProvider } from './ask-provider.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { callbackAt, noProvider, providerAt, trimmed } from './provider-at.ts'
import { newSignIn, sealState } from './sign-in-state.ts'

/** Signs visitors in and out for readers; `visitedSites` are the sites that visitors open. */
export const visitorSignInFeature = (visitedSites: VisitedSites) =>
  feature<BaseContext>()(visitorSignIns, {
    async startVisitorSignIn({ body: { url, root, browser } }, context) {
      const { site, oidc, location } = await providerAt({ url, root }, { ...context, visitedSites })
      const { signingSecret, openid } = context
      const signIn = newSignIn({ version: oidc.version, root: trimmed(root), location, browser })
      const { nonce, verifier } = signIn
      const state = sealState(signIn, site.id, signingSecret)
      const { scopes } = oidc
      const request = { redirectUri: callbackAt(root), scopes, state, nonce, verifier }
      return {
        redirect: await askProvider(context, site.id, () =>
          openid.authorizationUrl(siteOidc.openIdSettings(oidc, signingSecret), request),
        ),
      }
    },

    completeVisitorSignIn: ({ body }, context) => completeSignIn(body, { ...context, visitedSites }),

    async endVisitorSession({ body: { url, root, token } }, context) {
      const { site, oidc } = await providerAt({ url, root }, { ...context, visitedSites })
      const { db, signingSecret, transaction, openid } = context
      const session = token === undefined ? undefined : await sessions.find(db, { siteId: site.id, token })
      if (session && token !== undefined) await transaction(tx => sessions.end(tx, { siteId: site.id, token }))
      const idToken = session && openContent(session, signingSecret)?.idToken
      const returnTo =
        (await siteAuth.find(db, site.id))?.logoutUrl ?? `${trimmed(root)}/${visitorSignInPaths.signedOut}`
      // The session here has ended, whatever the provider answers.
      const atProvider = await askProvider(context, site.id, () =>
        openid.endSessionUrl(siteOidc.openIdSettings(oidc, signingSecret), { idToken, returnTo }),
      ).catch((error: unknown) => {
        if (error instanceof Failure) return undefined
        throw error
      })
      return { redirect: atProvider ?? returnTo }
    },

    async receiveVisitorLogout({ params: { organizationId, siteId }, body: { logout_token: token } }, context) {
      const { db, signingSecret, openid, transaction } = context
      const site = await sites.find(db, siteId)
      const oidc = site?.organizationId === organizationId ? await siteOidc.find(db, siteId) : undefined
      if (!oidc) throw noProvider()
      const logout = await askProvider(context, siteId, () =>
        openid.verifyLogoutToken(siteOidc.openIdSettings(oidc, signingSecret), token),
      ).catch((error: unknown) => {
        throw error instanceof Failure && error.code === 'forbidden'
          ? fieldFault('body.logout_token', 'must be a valid logout token of the provider of the site')
          : error
      })
      await transaction(async tx => {
        // One sign-in after the other: none that this logout ends begins a session after it.
        await siteOidc.lock(tx, siteId)
        await sessions.logOut(tx, {
          siteId,
          issuedAt: new Date(logout.issuedAt),
          ...(logout.sub !== undefined && { subject: hashOf('user', logout.sub) }),
          ...(logout.sid !== undefined && { providerSession: hashOf('session', logout.sid) }),
        })
      })
      return undefined
    },
  })

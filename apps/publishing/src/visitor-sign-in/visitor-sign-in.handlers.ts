import { visitorSignIns } from '@recto/contracts-publishing'
import { Failure, feature, fieldFault } from '@recto/operation'
import * as siteOidc from '../publishing-auth/site-oidc.repository.ts'
import type { VisitedSites } from '../published-sites/visited-sites.ts'
import type { BaseContext } from '../shared/context.ts'
import * as sites from '../sites/sites.repository.ts'
import { hashOf } from '../visitor-sessions/session-content.ts'
import * as sessions from '../visitor-sessions/visitor-sessions.repository.ts'
import { askProvider } from './ask-provider.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { endSession } from './end-session.ts'
import { memberSignInUrl } from './member-sign-in.ts'
import { callbackAt, signsNobodyIn, signInAt, trimmed, versionOf } from './sign-in-at.ts'
import { newSignIn, sealState } from './sign-in-state.ts'

/** Signs visitors in and out for readers; `visitedSites` are the sites that visitors open. */
export const visitorSignInFeature = (visitedSites: VisitedSites) =>
  feature<BaseContext>()(visitorSignIns, {
    async startVisitorSignIn({ body: { url, root, browser } }, context) {
      const { site, way, location } = await signInAt({ url, root }, { ...context, visitedSites })
      const { signingSecret, openid } = context
      const signIn = newSignIn({ version: versionOf(way), root: trimmed(root), location, browser })
      const { nonce, verifier } = signIn
      const state = sealState(signIn, site.id, signingSecret)
      const redirectUri = callbackAt(root)
      if ('members' in way) return { redirect: await memberSignInUrl(site, { signIn, state, redirectUri }, context) }
      const request = { redirectUri, scopes: way.oidc.scopes, state, nonce, verifier }
      return {
        redirect: await askProvider(context, site.id, () =>
          openid.authorizationUrl(siteOidc.openIdSettings(way.oidc, signingSecret), request),
        ),
      }
    },

    completeVisitorSignIn: ({ body }, context) => completeSignIn(body, { ...context, visitedSites }),

    endVisitorSession: ({ body }, context) => endSession(body, { ...context, visitedSites }),

    async receiveVisitorLogout({ params: { organizationId, siteId }, body: { logout_token: token } }, context) {
      const { db, signingSecret, openid, transaction } = context
      const site = await sites.find(db, siteId)
      const oidc = site?.organizationId === organizationId ? await siteOidc.find(db, siteId) : undefined
      if (!oidc) throw signsNobodyIn()
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

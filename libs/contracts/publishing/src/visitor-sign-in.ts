import { z } from 'zod'
import { anyone, empty, endpoints, HttpUrl, reads, text, Timestamp, Url } from '@recto/contracts-shared'

const ofVisitors = 'Visitors are no members: their visits are in no record' as const
const url = HttpUrl.describe('An address of the site, as it is looked up')
const root = HttpUrl.describe(
  "Where the site is in the visitor's browser: at one of its hosts, or below the reader of the installation",
)
const Browser = text({ min: 43, max: 43 }).describe(
  "A secret of the visitor's browser, 32 bytes in base64url: who began a sign-in alone ends it",
)
const SessionToken = text({ min: 1, max: 200 }).describe('The token of the session that the visitor has')
/** A provider is asked up to four times, each for at most five seconds. */
const timeoutMs = 25_000

/** Operations by which readers sign visitors in and out, by the OpenID provider of a site or as members. */
export const visitorSignIns = endpoints({
  startVisitorSignIn: {
    route: 'POST /urls/published/sign-in',
    summary: "Begin the sign-in of a visitor by the site's OpenID provider, or as a member",
    description:
      'For readers. The visitor goes to `redirect`, and is sent back to `~recto/sign-in/callback` below `root` within ten minutes. A site that signs nobody in is 404; while the provider does not answer it is 503.',
    body: z
      .object({ url: url.describe('The page to come back to'), root, browser: Browser })
      .meta({ id: 'StartVisitorSignIn', description: 'A sign-in to begin' }),
    reply: z.object({ redirect: Url }).meta({ id: 'VisitorSignInStart', description: 'Where a visitor signs in' }),
    errors: ['not_found'],
    records: reads,
    access: anyone,
    examples: [
      {
        body: { url: 'https://nobody.docs.localhost/', root: 'https://nobody.docs.localhost', browser: 'a'.repeat(43) },
        answers: 404,
      },
    ],
    limits: { rate: 'visitor', timeoutMs },
  },
  completeVisitorSignIn: {
    route: 'POST /urls/published/sign-in/complete',
    summary: 'Complete the sign-in of a visitor, and get the token of their session',
    description:
      'For readers. `query` is what the provider sent the visitor back with. A sign-in is completed once, by the browser that began it, and while the site signs visitors in as it did: all others are refused (403). The token is a `visitor.jwtToken` of lookups until it expires, the provider says that the session has ended, or the session of the member ends.',
    body: z
      .object({
        url,
        root,
        browser: Browser,
        query: text({ min: 1, max: 8_192 }),
        token: SessionToken.optional().describe('The session that the visitor had before, which ends'),
      })
      .meta({ id: 'CompleteVisitorSignIn', description: 'A sign-in to complete' }),
    reply: z
      .object({
        token: z.string().describe('The token of the session, which the reader keeps in a cookie'),
        expiresAt: Timestamp,
        location: z.string().describe('The path below the site to come back to, with its query; begins with one slash'),
      })
      .meta({ id: 'VisitorSession', description: 'The session of a visitor' }),
    errors: ['not_found'],
    records: { nothing: ofVisitors },
    access: anyone,
    examples: [
      {
        body: {
          url: 'https://nobody.docs.localhost/',
          root: 'https://nobody.docs.localhost',
          browser: 'a'.repeat(43),
          query: 'code=x&state=x',
        },
        answers: 404,
      },
    ],
    limits: { rate: 'visitor', timeoutMs },
  },
  endVisitorSession: {
    route: 'POST /urls/published/sign-out',
    summary: 'End the session of a visitor',
    description:
      'For readers. The session ends at once; `redirect` ends that at the provider, too, where it has an address for that. A member is signed out of the installation, and so of all sites in that browser: the session of `token` at once, and `redirect` asks those whose browser is signed in by another. A site that signs nobody in is 404.',
    body: z
      .object({ url, root, token: SessionToken.optional() })
      .meta({ id: 'EndVisitorSession', description: 'A session to end' }),
    reply: z
      .object({ redirect: Url })
      .meta({ id: 'VisitorSignOut', description: 'Where a visitor goes who signed out' }),
    errors: ['not_found'],
    records: {
      nothing: 'Visitors are no members; that a session of a member has ended is in the records of the installation',
    },
    access: anyone,
    examples: [
      {
        body: { url: 'https://nobody.docs.localhost/', root: 'https://nobody.docs.localhost' },
        answers: 404,
      },
    ],
    limits: { rate: 'visitor', timeoutMs },
  },
  receiveVisitorLogout: {
    route: 'POST /orgs/{organizationId}/sites/{siteId}/publishing/auth/logout',
    summary: "Receive a logout from the site's OpenID provider",
    description:
      'Back-channel logout 1.0: the token names a session at the provider, or a user, whose sessions on the site end at once. A site without a provider is 404, a token that is not valid 400.',
    request: { form: true },
    body: z
      .object({ logout_token: text({ min: 1, max: 8_192 }) })
      .meta({ id: 'VisitorLogout', description: 'A logout token of an OpenID provider' }),
    reply: empty,
    status: 204,
    errors: ['not_found'],
    records: { nothing: ofVisitors },
    access: anyone,
    examples: [{ form: { logout_token: 'nothing' }, answers: 404 }],
    limits: { rateBy: 'siteId', bodyBytes: 16_384, timeoutMs },
  },
})

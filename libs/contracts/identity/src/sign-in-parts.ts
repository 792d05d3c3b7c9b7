import type { FailurePage } from '@recto/operation'
import { Id, Role, Team } from '@recto/contracts-shared'
import { z } from 'zod'

/** The fields of a provider, as replies show it, that decide about users who are new. */
export const newUserDefaults = {
  defaultTeam: Team.optional(),
  defaultRole: Role.nullable().describe('Role of users who sign in for the first time'),
}

/** The settings of a provider that decide about users who are new. */
export const newUserSettings = {
  defaultTeam: Id.nullable().optional().describe('Id of the team that users join when they sign in for the first time'),
  defaultRole: Role.nullable().optional().describe("Null for guests; the organization's default role unless given"),
}

/** The query of the address that starts a sign-in. */
export const signInQuery = z.object({
  interaction: z.string().max(64).optional().describe('Id of the authorization that the sign-in is for'),
})

/** The page shown when a sign-in fails. The reason is only in the log of identity: an attacker would learn from it. */
export const notSignedIn = {
  title: 'You are not signed in',
  messages: {
    unauthenticated:
      'The sign-in was refused. Begin again; if it happens once more, ask an administrator and name the request below: the log says why.',
    not_found: 'There is no sign-in at this address, or it is not set up yet. Ask who gave you the address.',
    invalid_request: 'What your identity provider has sent is not complete. Begin again.',
    too_large: 'What your identity provider has sent is too large. Ask an administrator of your organization.',
    rate_limited: 'There were too many attempts. Wait a minute, and begin again.',
    unavailable: 'Signing in is not possible at the moment. Try again in a minute.',
    timeout: 'Signing in took too long. Try again in a minute.',
  },
  otherwise: 'Something went wrong on our side. Try again in a minute.',
} as const satisfies FailurePage

import { operations } from '@recto/operation'
import { z } from 'zod'
import { Id, Role } from '@recto/contracts-shared'

const VisitingMember = z.object({
  session: z.string().describe('The session of the member, which that on the site ends with'),
  endsAt: z.number().describe('When the session ends in any case, milliseconds since the epoch'),
  user: Id,
  email: z.string(),
  name: z.string(),
  role: Role.nullable(),
  teams: z.array(Id),
})

/** A member of an organization by their session, as its sites know them. */
export type VisitingMember = z.output<typeof VisitingMember>

const member = VisitingMember.nullable().describe('Null where the session has ended, or is of no member any more')

/** Calls from publishing to identity about members who read sites of their organization. */
export const visitCalls = operations({
  redeemVisitCode: {
    summary: 'Redeem the code with which a member comes back to a site; it is used up, whoever brings it',
    body: z.object({
      code: z.string(),
      organization: Id,
      site: Id,
      redirectUri: z.string(),
      verifier: z.string().describe('The code verifier (RFC 7636)'),
    }),
    reply: z.object({ member }),
  },
  findVisit: {
    summary: 'Find the member of an organization whose session this is; the session counts as used',
    body: z.object({ session: z.string(), organization: Id }),
    reply: z.object({ member }),
  },
  endVisit: {
    summary: 'End the session of a member; one that has ended is left as it is',
    body: z.object({ session: z.string() }),
    reply: z.object({}),
  },
})

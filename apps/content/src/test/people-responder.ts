import { serve, type Bus } from '@recto/bus'
import type { OrganizationMergeRules } from '@recto/contracts-shared'
import { peopleCalls } from '@recto/contracts-identity-bus'
import type { Role } from '@recto/actor'
import { feature } from '@recto/operation'
import { createLog } from '@recto/telemetry'
import type { z } from 'zod'

/** A member or guest of an organization. */
interface TestMember {
  organization: string
  user: string
  role: Role | null
  teams: string[]
}

/** A responder on the bus in place of identity: it answers the calls of content by the contract, from memory. */
export interface PeopleResponder {
  add(member: { organization: string; user: string; role?: Role | null; teams?: string[] }): void
  remove(user: string): void
  addTeam(organization: string, team: string): void
  /** Sets the merge rules of every organization, which calls that hide settings do not get. */
  setMergeRules(...rules: Rules): void
  /** Sets whether organizations use engines. */
  setAI(ai: boolean): void
  /** Number of calls answered. */
  answered(): number
  stop(): Promise<void>
  /** Starts to answer again, with the same people. */
  start(): Promise<void>
}

type Rules = Extract<z.input<typeof OrganizationMergeRules>, { type: 'rules' }>['rules']

/** Starts the responder on a connection of identity. */
export async function aPeopleResponder(bus: Bus): Promise<PeopleResponder> {
  const members: TestMember[] = []
  const teams: { organization: string; team: string }[] = []
  const rules: Rules = []
  const settings = { ai: false }
  const count = { answered: 0 }
  const context = () => void (count.answered += 1)
  const log = createLog({ service: 'identity', level: 'silent' })
  const start = async () => {
    const serving = serve(bus, {
      prefix: 'rpc',
      operations: peopleCalls,
      handlers: peopleHandlers({ members, teams, rules, settings }).handlers,
      context,
      log,
      strict: true,
    })
    await bus.connection.flush()
    return serving
  }
  let serving = await start()
  return {
    add: ({ role = 'read', teams = [], ...member }) => void members.push({ role, teams, ...member }),
    remove: user => void members.splice(0, members.length, ...members.filter(member => member.user !== user)),
    addTeam: (organization, team) => void teams.push({ organization, team }),
    setMergeRules: (...next) => void rules.splice(0, rules.length, ...next),
    setAI: ai => void (settings.ai = ai),
    answered: () => count.answered,
    stop: () => serving.stop(),
    start: async () => void (serving = await start()),
  }
}

interface People {
  members: TestMember[]
  teams: { organization: string; team: string }[]
  rules: Rules
  settings: { ai: boolean }
}

function peopleHandlers({ members, teams, rules, settings }: People) {
  const createdAt = new Date(0).toISOString()
  return feature<unknown>()(peopleCalls, {
    async describePeople({ body }) {
      const users = members.filter(
        ({ organization, user }) => organization === body.organization && body.users.includes(user),
      )
      const matchingTeams = teams.filter(
        ({ organization, team }) => organization === body.organization && body.teams.includes(team),
      )
      return {
        users: users.map(({ user }) => aUser(user)),
        teams: matchingTeams.map(({ team: id }) => ({
          object: 'team',
          id,
          title: id,
          members: 0,
          createdAt,
          permissions: { admin: false, view: true },
        })),
      }
    },

    async describeMembers({ body }) {
      const here = members.filter(
        ({ organization, user }) => organization === body.organization && body.users.includes(user),
      )
      return { members: here.map(member => aMember(member, createdAt)) }
    },

    async describeOrganizations({ body }) {
      const sentRules = body.hidesSettings ? [] : rules
      const mergeRules = sentRules.length > 0 ? { type: 'rules' as const, rules: sentRules } : { type: 'none' as const }
      return {
        organizations: body.organizations.map(id => ({ ...anOrganization(id, createdAt), ...settings, mergeRules })),
      }
    },

    async listMemberships({ body }) {
      const here = members.filter(
        ({ organization, user }) => organization === body.organization && (body.users?.includes(user) ?? true),
      )
      return { members: here.map(({ user, role, teams }) => ({ user, role, teams })) }
    },

    searchMemberships: async () => ({ members: [] }),
  })
}

function aUser(id: string) {
  return { object: 'user' as const, id, displayName: id, urls: { location: `http://recto.test/v1/users/${id}` } }
}

function aMember({ user, role, teams }: TestMember, joinedAt: string) {
  const rest = { role, disabled: false, joinedAt, sso: false, spaces: 0, teams: teams.length }
  return { object: 'member' as const, id: user, user: aUser(user), ...rest }
}

function anOrganization(id: string, createdAt: string) {
  return {
    object: 'organization' as const,
    id,
    title: id,
    createdAt,
    emailDomains: [],
    type: 'business' as const,
    sso: false,
    ai: false,
    inviteLinks: true,
    plan: 'enterprise_2024' as const,
    internal_isOnNewTrial: true as const,
    trial: { status: 'notapplicable' as const },
    urls: { location: `http://recto.test/v1/orgs/${id}`, app: `http://recto.test/o/${id}` },
    permissions: {
      view: true,
      admin: false,
      ownTeam: false,
      createContent: false,
      createOpenAPISpec: false,
      ingestConversations: false,
      viewBilling: false,
      listMembers: true,
      listTeams: true,
      listIntegrations: false,
      listInstallations: false,
      installIntegration: false,
    },
  }
}

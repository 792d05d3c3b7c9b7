import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import type { Role } from '@recto/actor'
import { createId } from '@recto/operation'
import { Any } from 'typeorm'
import type { TeamRole } from '../teams/team-member.entity.ts'
import { PendingInviteEntity, type PendingInviteRow } from './pending-invite.entity.ts'

const columns = columnsOf(PendingInviteEntity, 'pending_invites')

/** Postgres has a limited number of locks, so emails share 256 of them; unrelated emails may wait for each other. */
const lockKeyBits = 8
const emailLocks = 7_265_372

/** Locks emails against concurrent invites and creation of their users until the transaction ends, so that neither misses the other. */
export async function lockEmails(db: Db, emails: string[]): Promise<void> {
  await query(
    db,
    `select pg_advisory_xact_lock($2, key) from (
       select distinct hashtextextended(lower(email), 0)::bit(${lockKeyBits})::int as key from unnest($1::text[]) as email order by key
     ) as keys`,
    [emails, emailLocks],
  )
}

/** The ids of the organizations that have invited an email, in any case. */
export async function findInvitingOrganizations(db: Db, email: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    'select organization_id as id from pending_invites where lower(email) = lower($1)',
    [email],
  )
  return rows.map(({ id }) => id)
}

interface InvitedEmail {
  email: string
  role: Role | null
}

/** An invite that was written, and whether it is a new one. */
export interface WrittenInvite {
  id: string
  isNew: boolean
}

/** Saves invites, each email once; an email that is invited already gets the new role and keeps its teams. Returns those that changed. */
export async function upsertInvites(
  db: Db,
  organization: string,
  invited: (InvitedEmail & { sso?: boolean })[],
): Promise<(WrittenInvite & { role: Role | null })[]> {
  if (invited.length === 0) return []
  const rows = invited.map(({ email, role, sso = false }) => ({ id: createId(), email, role, sso }))
  return query<WrittenInvite & { role: Role | null }>(
    db,
    `insert into pending_invites (id, organization_id, email, role, sso, created_at)
     select i.id, $1, i.email, i.role, i.sso, now() from jsonb_to_recordset($2) as i(id text, email text, role text, sso boolean)
     on conflict (organization_id, lower(email)) do update set role = excluded.role, sso = excluded.sso
     where (pending_invites.role, pending_invites.sso) is distinct from (excluded.role, excluded.sso)
     returning id, role, (xmax = 0) as "isNew"`,
    [organization, JSON.stringify(rows)],
  )
}

/** Saves invites to a team, each email once; an email that is invited already keeps its role in the organization. Returns those that changed. */
export async function upsertTeamInvites(
  db: Db,
  organization: string,
  invited: (InvitedEmail & { team: { team: string; role: TeamRole; keepsRole: boolean } })[],
): Promise<WrittenInvite[]> {
  if (invited.length === 0) return []
  const invites = invited.map(({ email, role }) => ({
    id: createId(),
    organizationId: organization,
    email,
    role,
    sso: false,
    createdAt: () => 'now()',
  }))
  const insertion = db.createQueryBuilder().insert().into(PendingInviteEntity).values(invites).orIgnore()
  const { raw } = await insertion.returning('id').execute()
  const newIds = new Set((raw as { id: string }[]).map(({ id }) => id))
  const rows = invited.map(({ email, team }) => ({
    email,
    team: team.team,
    role: team.role,
    keeps_role: team.keepsRole,
  }))
  const teamInvites = await query<{ id: string }>(
    db,
    `insert into pending_team_members (invite_id, team_id, role)
     select p.id, i.team, coalesce(before.role, i.role) from jsonb_to_recordset($2) as i(email text, team text, role text, keeps_role boolean)
     join pending_invites p on p.organization_id = $1 and lower(p.email) = i.email
     left join pending_team_members before on i.keeps_role and before.invite_id = p.id and before.team_id = i.team
     on conflict (invite_id, team_id) do update set role = excluded.role where pending_team_members.role <> excluded.role
     returning invite_id as id`,
    [organization, JSON.stringify(rows)],
  )
  return teamInvites.map(({ id }) => ({ id, isNew: newIds.has(id) }))
}

/** Withdraws the invites of emails to a team; those to the organization stay. Returns the ids of those that were to the team. */
export async function withdrawTeamInvites(
  db: Db,
  { organization, team }: { organization: string; team: string },
  emails: string[],
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `delete from pending_team_members p using pending_invites i
     where p.invite_id = i.id and i.organization_id = $1 and p.team_id = $2 and lower(i.email) = any($3)
     returning i.id`,
    [organization, team, emails.map(email => email.toLowerCase())],
  )
  return rows.map(({ id }) => id)
}

/** Deletes the invites of an email, or that to one organization, and returns them with their teams, so that each is accepted once. */
export async function deleteByEmail(
  db: Db,
  email: string,
  organization?: string,
): Promise<(PendingInviteRow & { teams: { team: string; role: TeamRole }[] })[]> {
  const rows = await query<PendingInviteRow & { teams: { team: string; role: TeamRole }[] }>(
    db,
    `select ${columns}, coalesce((select jsonb_agg(jsonb_build_object('team', team_id, 'role', role)) from pending_team_members where invite_id = pending_invites.id), '[]') as teams
     from pending_invites where lower(email) = lower($1) and ($2::text is null or organization_id = $2) for update`,
    [email, organization ?? null],
  )
  await db.delete(PendingInviteEntity, { id: Any(rows.map(({ id }) => id)) })
  return rows
}

export async function list(db: Db, organization: string, request: ListRequest): Promise<ListPage<PendingInviteRow>> {
  const source = {
    sql: `select ${columns} from pending_invites where organization_id = $1`,
    values: [organization],
    ...newestFirst,
  }
  return listPage<PendingInviteRow>(db, source, request)
}

/** Deletes an invite; false when there is none. */
export async function remove(db: Db, organization: string, id: string): Promise<boolean> {
  const { affected } = await db.delete(PendingInviteEntity, { organizationId: organization, id })
  return affected === 1
}

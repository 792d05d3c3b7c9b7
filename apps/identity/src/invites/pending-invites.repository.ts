import { columnsOf, type Db, listPage, type ListPage, type ListRequest, newestFirst, query } from '@recto/database'
import type { Role } from '@recto/actor'
import { createId } from '@recto/operation'
import { Any } from 'typeorm'
import type { TeamRole } from '../members/team-member.entity'
import { PendingInviteEntity, type PendingInviteRow } from './pending-invite.entity.ts'

const columns = columnsOf(PendingInviteEntity, 'pending_invites')

/** The locks of a server are few, so e-mails share these: some wait for each other without need. */
const placeBits = 8
const emailLocks = 7_265_372

/** Keeps others from inviting or creating users of these e-mails until the transaction ends: neither may miss the other. */
export async function lockEmails(db: Db, emails: string[]): Promise<void> {
  await query(
    db,
    `select pg_advisory_xact_lock($2, place) from (
       select distinct hashtextextended(lower(email), 0)::bit(${placeBits})::int as place from unnest($1::text[]) as email order by place
     ) as places`,
    [emails, emailLocks],
  )
}

/** Organizations where an e-mail is invited. */
export async function organizationsOf(db: Db, email: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    'select organization_id as id from pending_invites where lower(email) = lower($1)',
    [email],
  )
  return rows.map(({ id }) => id)
}

interface Pending {
  email: string
  role: Role | null
}

/** Remembers e-mails, each there once; one that waits already gets the new role and keeps its teams. */
export async function invite(db: Db, organization: string, invited: (Pending & { sso?: boolean })[]): Promise<void> {
  if (invited.length === 0) return
  const rows = invited.map(({ email, role, sso = false }) => ({ id: createId(), email, role, sso }))
  await query(
    db,
    `insert into pending_invites (id, organization_id, email, role, sso, created_at)
     select i.id, $1, i.email, i.role, i.sso, now() from jsonb_to_recordset($2) as i(id text, email text, role text, sso boolean)
     on conflict (organization_id, lower(email)) do update set role = excluded.role, sso = excluded.sso`,
    [organization, JSON.stringify(rows)],
  )
}

/** Remembers e-mails for a team, each there once; an invite that waits already keeps its role in the organization. */
export async function inviteToTeam(
  db: Db,
  organization: string,
  invited: (Pending & { place: { team: string; role: TeamRole; keeps: boolean } })[],
): Promise<void> {
  if (invited.length === 0) return
  const invites = invited.map(({ email, role }) => ({
    id: createId(),
    organizationId: organization,
    email,
    role,
    sso: false,
    createdAt: () => 'now()',
  }))
  await db.createQueryBuilder().insert().into(PendingInviteEntity).values(invites).orIgnore().execute()
  const rows = invited.map(({ email, place }) => ({ email, team: place.team, place: place.role, keeps: place.keeps }))
  await query(
    db,
    `insert into pending_team_members (invite_id, team_id, role)
     select p.id, i.team, coalesce(before.role, i.place) from jsonb_to_recordset($2) as i(email text, team text, place text, keeps boolean)
     join pending_invites p on p.organization_id = $1 and lower(p.email) = i.email
     left join pending_team_members before on i.keeps and before.invite_id = p.id and before.team_id = i.team
     on conflict (invite_id, team_id) do update set role = excluded.role`,
    [organization, JSON.stringify(rows)],
  )
}

/** Takes e-mails off the list of those who wait for a team; they still wait for the organization. */
export async function removeFromTeam(
  db: Db,
  { organization, team }: { organization: string; team: string },
  emails: string[],
): Promise<void> {
  await query(
    db,
    `delete from pending_team_members p using pending_invites i
     where p.invite_id = i.id and i.organization_id = $1 and p.team_id = $2 and lower(i.email) = any($3)`,
    [organization, team, emails.map(email => email.toLowerCase())],
  )
}

/** Invites of an e-mail with their teams; they are gone after this, so that each is accepted once. */
export async function take(
  db: Db,
  email: string,
): Promise<(PendingInviteRow & { teams: { team: string; role: TeamRole }[] })[]> {
  const rows = await query<PendingInviteRow & { teams: { team: string; role: TeamRole }[] }>(
    db,
    `select ${columns}, coalesce((select jsonb_agg(jsonb_build_object('team', team_id, 'role', role)) from pending_team_members where invite_id = pending_invites.id), '[]') as teams
     from pending_invites where lower(email) = lower($1) for update`,
    [email],
  )
  await db.delete(PendingInviteEntity, { id: Any(rows.map(({ id }) => id)) })
  return rows
}

export async function listOf(db: Db, organization: string, request: ListRequest): Promise<ListPage<PendingInviteRow>> {
  const source = {
    sql: `select ${columns} from pending_invites where organization_id = $1`,
    values: [organization],
    ...newestFirst,
  }
  return listPage<PendingInviteRow>(db, source, request)
}

export async function remove(db: Db, organization: string, id: string): Promise<void> {
  await db.delete(PendingInviteEntity, { organizationId: organization, id })
}

import { parseArgs } from 'node:util'
import { identityEvents } from '@recto/contracts'
import { openDatabase, transact, type Db } from '@recto/database'
import { createId, Failure } from '@recto/operation'
import { identityDatabase } from '../database.ts'
import * as repository from './seed.repository.ts'

/** How large an organization is to be made. */
export interface SeedSize {
  members: number
  teams: number
}

const most = 100_000

/** The command: makes an organization of the given size and prints its id. */
export async function seed(url: string, args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      members: { type: 'string', default: '20000' },
      teams: { type: 'string', default: '500' },
      title: { type: 'string', default: 'Seed' },
    },
  })
  const size = { members: countOf('members', values.members, 1), teams: countOf('teams', values.teams, 0) }
  const database = await openDatabase(identityDatabase(url, 1))
  try {
    const organization = await seedOrganization(database.manager, { ...size, title: values.title })
    process.stdout.write(`${organization}\n`)
  } finally {
    await database.destroy()
  }
}

/**
 * Makes an organization whose first member is the first administrator of the platform, as its admin. The others have every
 * role, joined minutes apart, and three of five have been active; teams have from none to about a hundred members, and an owner.
 */
export async function seedOrganization(
  db: Db,
  { members, teams, title }: SeedSize & { title: string },
): Promise<string> {
  // Nobody is connected to the bus here: the outbox publishes what is written.
  return transact(
    db,
    () => undefined,
    async tx => {
      const administrator = await repository.administrator(tx)
      const organization = createId()
      await repository.insertOrganization(tx, { organization, title, administrator })
      await repository.insertMembers(tx, organization, members - 1)
      await repository.insertTeams(tx, organization, teams)
      await repository.analyze(tx)
      await tx.publish(identityEvents.actorChanged, { userIds: [administrator] })
      return organization
    },
  )
}

function countOf(name: string, text: string, least: number): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= least && count <= most) return count
  throw new Failure('invalid_request', `--${name} must be a number from ${least} to ${most}, not "${text}"`)
}

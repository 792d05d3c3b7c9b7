import { parseArgs } from 'node:util'
import { identityEvents } from '@recto/contracts-identity-bus'
import { openDatabase, transact, type DatabaseOptions, type Db } from '@recto/database'
import { createId, Failure } from '@recto/operation'
import * as repository from './seed.repository.ts'

/** The size of a seeded organization. */
export interface SeedSize {
  members: number
  teams: number
}

const maxCount = 100_000

/** The command `seed`: creates an organization of the given size and prints its id. Throws `invalid_request` for a faulty argument. */
export async function seed(options: DatabaseOptions, args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      members: { type: 'string', default: '20000' },
      teams: { type: 'string', default: '500' },
      title: { type: 'string', default: 'Seed' },
    },
  })
  const size = { members: parseCount('members', values.members, 1), teams: parseCount('teams', values.teams, 0) }
  const database = await openDatabase({ ...options, poolSize: 1 })
  try {
    const organization = await seedOrganization(database.manager, { ...size, title: values.title })
    process.stdout.write(`${organization}\n`)
  } finally {
    await database.destroy()
  }
}

/**
 * Creates an organization whose admin is the first administrator of the platform. Its other members have all roles, joined one
 * minute apart, and three of five were active; each team has up to about a hundred members, one of them its owner.
 */
export async function seedOrganization(
  db: Db,
  { members, teams, title }: SeedSize & { title: string },
): Promise<string> {
  // There is no bus connection here: the running service publishes the event from the outbox.
  return transact(
    db,
    () => undefined,
    async tx => {
      const administrator = await repository.findFirstAdministrator(tx)
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

function parseCount(name: string, text: string, min: number): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= min && count <= maxCount) return count
  throw new Failure('invalid_request', `--${name} must be an integer from ${min} to ${maxCount}, not "${text}"`)
}

import { CreateOAuthClient } from '@recto/contracts-identity'
import { Failure, type Secrets } from '@recto/operation'
import { tableLine, type AdminCommand } from '@recto/service'
import * as clients from '../grants/clients.repository.ts'
import { endGrant } from './end-grants.ts'
import * as grants from '../grants/grants.repository.ts'
import { newClient } from './new-client.ts'

/** `programs`: all programs of the installation, whoever has registered them. */
export const listPrograms: AdminCommand = async (_args, { db, print }) => {
  print(tableLine('id', 'name', 'registered by', 'since', 'redirect URIs'))
  for (const { id, name, organizationId, selfRegistered, createdAt, redirectUris } of await clients.listAll(db)) {
    const by = organizationId ?? (selfRegistered ? 'itself' : 'the installation')
    print(tableLine(id, name, by, createdAt.toISOString(), redirectUris.join(' ')))
  }
}

/** `program <name> <redirect URI>…`: registers a public program that everybody of the installation may allow, and prints its id. */
export function registerProgram(secrets: Secrets): AdminCommand {
  return async ([name, ...redirectURIs], { db, print }) => {
    const parsed = CreateOAuthClient.safeParse({ name, redirectURIs })
    if (!parsed.success)
      throw new Failure('invalid_request', 'program must have a name and redirect URIs: absolute, without a fragment.')
    const { row } = newClient({ organization: null, ...parsed.data }, secrets)
    await clients.insert(db, row)
    print(row.id)
  }
}

/** `forget-program <id>…`: deletes programs; what they were allowed ends. */
export const forgetPrograms: AdminCommand = async (ids, { transaction, print }) => {
  if (ids.length === 0) throw new Failure('invalid_request', 'forget-program must have the ids of programs.')
  const count = await transaction(async tx => {
    let deleted = 0
    for (const id of ids) {
      if (await clients.removeAny(tx, id)) deleted += 1
      for (const grant of await grants.listOfClient(tx, id)) await endGrant(tx, grant, 'client')
    }
    return deleted
  })
  print(`${count} of ${ids.length} programs were deleted.`)
  if (count < ids.length) throw new Failure('not_found', `${ids.length - count} of the ids are not those of programs.`)
}

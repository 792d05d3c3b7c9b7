import type { Secrets } from '@recto/operation'
import type { AdminCommand } from '@recto/service'
import { contextOf } from './artifact-adapter.ts'
import * as artifacts from './artifacts.repository.ts'
import * as clients from '../grants/clients.repository.ts'
import * as grants from '../grants/grants.repository.ts'
import { resealPayload } from './sealed-payload.ts'
import * as sessions from './sessions.repository.ts'

/** The command that encrypts all objects of the authorization server with the present secret of the installation. */
export function reencryptArtifacts(secrets: Secrets): AdminCommand {
  const reseal = (sealed: Buffer, context: string) => resealPayload(sealed, context, secrets)
  return async (_args, { db, transaction, print }) => {
    const artifactKeys = await artifacts.listKeys(db)
    for (const key of artifactKeys)
      await transaction(async tx => {
        const row = await artifacts.lock(tx, key)
        if (row) await artifacts.setPayload(tx, key, reseal(row.payload, contextOf(key)))
      })
    const sessionIds = await sessions.listIds(db)
    for (const id of sessionIds)
      await transaction(async tx => {
        const row = await sessions.lock(tx, id)
        if (row) await sessions.setPayload(tx, id, reseal(row.payload, id))
      })
    const grantIds = await grants.listIds(db)
    for (const id of grantIds)
      await transaction(async tx => {
        const row = await grants.lock(tx, id)
        if (row) await grants.setPayload(tx, id, reseal(row.payload, id))
      })
    const clientIds = await clients.listIds(db)
    for (const id of clientIds)
      await transaction(async tx => {
        const row = await clients.lock(tx, id)
        if (row) await clients.setMetadata(tx, id, reseal(row.metadata, id))
      })
    const count = artifactKeys.length + sessionIds.length + grantIds.length + clientIds.length
    print(`${count} objects of the OAuth server are encrypted with the present secret.`)
  }
}

import type { PartialAdapter } from './partial-adapter.ts'
import * as clients from '../grants/clients.repository.ts'
import { currentWork } from './current-work.ts'
import { sealPayload, unsealPayload } from './sealed-payload.ts'

/** Programs that are registered, by an organization or by themselves. */
export function createClientAdapter(): PartialAdapter {
  return {
    async upsert(id, payload) {
      const { db, signingSecret } = currentWork().context
      await clients.removeUnused(db)
      await clients.insert(db, {
        id,
        organizationId: null,
        selfRegistered: true,
        name: payload.client_name ?? id,
        type: payload.token_endpoint_auth_method === 'none' ? 'public' : 'confidential',
        redirectUris: [...(payload.redirect_uris ?? [])],
        metadata: sealPayload(payload, id, signingSecret),
        createdAt: new Date(),
      })
    },
    async find(id) {
      const { db, signingSecret } = currentWork().context
      const row = id.includes('\0') ? undefined : await clients.find(db, id)
      return row && unsealPayload(row.metadata, row.id, signingSecret)
    },
    destroy: () => Promise.reject(new Error('Programs are deleted by the API')),
  }
}

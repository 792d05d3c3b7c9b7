import { sendOk, type Person } from './people.ts'
import type { Installation } from './stack.ts'

/** Creates a service account of an organization with a token; resolves to their ids, by the kinds of ids of tenants. */
export async function aServiceAccount(
  stack: Installation,
  { id, admin }: { id: string; admin: Person },
): Promise<{ serviceAccountId: string[]; serviceAccountTokenId: string[] }> {
  const path = `/orgs/${id}/service-accounts`
  const create = (at: string, body: object) => sendOk<{ id: string }>(stack, admin, { method: 'POST', path: at, body })
  const account = await create(path, { name: 'Indexer', role: 'read' })
  const token = await create(`${path}/${account.id}/tokens`, { name: 'nightly job' })
  return { serviceAccountId: [account.id], serviceAccountTokenId: [token.id] }
}

import { transact } from '@recto/database'
import { createId } from '@recto/operation'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { AdminCommand } from '@recto/service'
import { adminToken, anIdentity, type IdentitySetup } from '../test/identity-setup.ts'
import { issueToken, listTokens, revokeTokens } from './people-commands.ts'

let identity: IdentitySetup
beforeAll(async () => void (identity = await anIdentity()))
afterAll(() => identity.stop())

/** Runs a command; resolves to its lines, and to the code of its failure. */
async function run(command: AdminCommand, ...args: string[]): Promise<{ lines: string[]; code: string | undefined }> {
  const lines: string[] = []
  const { db } = identity.service
  const transaction = <T>(work: Parameters<typeof transact<T>>[2]) => transact(db, () => undefined, work)
  const code = await failure(command(args, { db, transaction, print: line => void lines.push(line) }))
  return { lines, code }
}

async function aUser(): Promise<string> {
  const admin = await identity.as(adminToken)
  const email = `${createId()}@recto.test`
  await admin.createUser({ body: { email, displayName: 'Ada' } })
  return email
}

describe('tokens', () => {
  it('are issued, listed without their values, and revoked', async () => {
    const email = await aUser()
    const { lines } = await run(issueToken, email, 'laptop')
    const [token = ''] = lines
    expect(await (await identity.as(token)).getAuthenticatedUser()).toMatchObject({ email })
    const [, row = ''] = (await run(listTokens, email)).lines
    expect(row).toContain('laptop')
    expect(row).not.toContain(token)
    const [id = ''] = row.split('\t')
    expect(await run(revokeTokens, id)).toEqual({ lines: ['1 of 1 tokens were revoked.'], code: undefined })
    expect((await run(listTokens, email)).lines).toHaveLength(1)
  })

  it('of unknown ids are a failure, and the others are revoked all the same', async () => {
    const email = await aUser()
    await run(issueToken, email)
    const [, row = ''] = (await run(listTokens, email)).lines
    const [id = ''] = row.split('\t')
    expect(await run(revokeTokens, id, 'nothing')).toEqual({
      lines: ['1 of 2 tokens were revoked.'],
      code: 'not_found',
    })
    expect((await run(listTokens, email)).lines).toHaveLength(1)
    expect(await run(revokeTokens)).toMatchObject({ code: 'invalid_request' })
  })
})

import { Failure, hashToken } from '@recto/operation'
import { expect, it } from '@jest/globals'
import { createActors } from './index.ts'

it('actors are kept for a bounded number of tokens', async () => {
  const asked: string[] = []
  const actor = { userId: 'ada', platformAdmin: false, scopes: [], memberships: [] }
  const actors = createActors({
    resolve: async hash => (asked.push(hash), { actor, tokenId: hash }),
    serialise: JSON.stringify,
  })
  for (let token = 0; token <= 10_000; token += 1) await actors.find(`token ${token}`)
  await actors.find('token 10000')
  expect(asked).toHaveLength(10_001)
  await actors.find('token 0')
  expect(asked).toHaveLength(10_002)
})

it('a look-up that fails is not remembered', async () => {
  const actor = { userId: 'ada', platformAdmin: false, scopes: [], memberships: [] }
  let away = true
  const actors = createActors({
    resolve: async () => {
      if (away) throw new Failure('unavailable', 'away')
      return { actor, tokenId: 'a' }
    },
    serialise: JSON.stringify,
  })
  await expect(actors.find('token')).rejects.toMatchObject({ code: 'unavailable' })
  away = false
  expect((await actors.find('token')).header).toBe(JSON.stringify(actor))
})

it('actors are dropped with an organization that they belong to, also where they may not use it', async () => {
  const asked: string[] = []
  const [none, guest] = [
    { platformAdmin: false, scopes: [] },
    { role: null, teams: [] },
  ]
  const users = {
    in: { ...none, userId: 'in', memberships: [{ organization: 'o', ...guest }] },
    barred: { ...none, userId: 'barred', memberships: [], ssoRequired: ['o'] },
    out: { ...none, userId: 'out', memberships: [{ organization: 'p', ...guest }] },
  }
  const hashes = Object.fromEntries(Object.entries(users).map(([token, actor]) => [hashToken(token), actor]))
  const actors = createActors({
    resolve: async hash => (asked.push(hashes[hash]?.userId ?? ''), { actor: hashes[hash] ?? null, tokenId: hash }),
    serialise: JSON.stringify,
  })
  for (const token of Object.keys(users)) await actors.find(token)
  asked.length = 0
  actors.drop({ userIds: [], organizations: ['o'] })
  for (const token of Object.keys(users)) await actors.find(token)
  expect(asked).toEqual(['in', 'barred'])
})

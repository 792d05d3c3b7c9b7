import { Failure } from '@recto/operation'
import { expect, it } from '@jest/globals'
import { createActors } from './index.ts'

it('actors are cached for a bounded number of tokens', async () => {
  const requests: string[] = []
  const actor = { userId: 'ada', scopes: [] }
  const actors = createActors({
    hash: token => token,
    resolve: async hash => (requests.push(hash), { actor, tokenId: hash }),
    serialise: JSON.stringify,
  })
  for (let token = 0; token <= 10_000; token += 1) await actors.find(`token ${token}`)
  await actors.find('token 10000')
  expect(requests).toHaveLength(10_001)
  await actors.find('token 0')
  expect(requests).toHaveLength(10_002)
})

it('a failed lookup is not cached', async () => {
  const actor = { userId: 'ada', scopes: [] }
  let away = true
  const actors = createActors({
    hash: token => token,
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

it('actors that match the predicate are evicted', async () => {
  const resolved: string[] = []
  const actors = createActors({
    hash: token => token,
    resolve: async hash => (resolved.push(hash), { actor: { userId: hash, scopes: [] }, tokenId: hash }),
    serialise: JSON.stringify,
  })
  for (const token of ['ada', 'bob']) await actors.find(token)
  resolved.length = 0
  actors.drop(({ userId }) => userId === 'bob')
  for (const token of ['ada', 'bob']) await actors.find(token)
  expect(resolved).toEqual(['bob'])
})

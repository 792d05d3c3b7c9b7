import { Failure } from '@recto/operation'
import { expect, it } from 'vitest'
import { createActors } from './index.ts'

it('actors are kept for a bounded number of tokens', async () => {
  const asked: string[] = []
  const actor = { userId: 'ada', platformAdmin: false, scopes: [], memberships: [] }
  const actors = createActors({ resolve: async hash => (asked.push(hash), { actor, tokenId: hash }), serialise: JSON.stringify })
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

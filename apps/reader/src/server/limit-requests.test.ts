import { expect, it } from '@jest/globals'
import type { PageRequest } from './page-request.ts'
import { limitRequests } from './limit-requests.ts'

const request = { method: 'GET', url: '/' } as PageRequest
const answered = { status: 200, headers: {}, body: 'a page' }

it('Requests above the limit are answered with 503 and Retry-After, until others have been answered', async () => {
  const ends: ((error?: Error) => void)[] = []
  const answer = limitRequests(2, () => {
    return new Promise((resolve, reject) => ends.push(error => (error ? reject(error) : resolve(answered))))
  })
  const first = [answer(request), answer(request)]
  expect(await answer(request)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  ends[0]?.()
  expect(await first[0]).toBe(answered)
  const next = answer(request)
  expect(await answer(request)).toMatchObject({ status: 503 })
  // One that fails makes room, too.
  ends[1]?.(new Error('It fails'))
  await expect(first[1]).rejects.toThrow('It fails')
  const last = answer(request)
  for (const end of ends.slice(2)) end()
  expect(await Promise.all([next, last])).toEqual([answered, answered])
})

it('A program of the Model Context Protocol is told so in its form', async () => {
  const answer = limitRequests(0, () => Promise.resolve(answered))
  const refused = await answer({ ...request, method: 'POST', url: '/~recto/mcp' })
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { createApiClient } from './api-client.ts'
import { createReads, type Reads } from './reads.ts'

/** An API that counts what it is asked, and answers as the test wants. */
const requests: string[] = []
let answer = { status: 200, text: '{"title":"Docs"}' }
/** Requests that are not answered, and those of them that were given up. */
let waits = false
const abandoned: string[] = []
const server = createServer((request, response) => {
  requests.push(request.url ?? '')
  if (waits) return void response.on('close', () => abandoned.push(request.url ?? ''))
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text)
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  requests.splice(0)
  abandoned.splice(0)
  waits = false
  answer = { status: 200, text: '{"title":"Docs"}' }
})

const hour = 3_600_000
function someReads({ freshFor = hour, maxBytes = 1_000_000 } = {}): Reads {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createReads(createApiClient({ url, publicUrl: url, timeout: 5_000 }), { freshFor, maxBytes })
}
const site = { path: '/site' }

describe('fresh', () => {
  it('asks once for all who ask at the same time, and not again for a while', async () => {
    const { fresh } = someReads()
    const replies = await Promise.all([fresh(site), fresh(site), fresh(site)])
    replies.push(await fresh(site))
    expect([requests.length, new Set(replies).size, replies[0]]).toEqual([1, 1, { title: 'Docs' }])
  })

  it('is the same object while the text is the same, and another one for another text', async () => {
    const { fresh, forget } = someReads()
    const first = await fresh(site)
    forget()
    expect(await fresh(site)).toBe(first)
    forget()
    answer.text = '{"title":"Others"}'
    expect(await fresh(site)).toEqual({ title: 'Others' })
    expect(requests).toHaveLength(3)
  })

  it('asks again after its time', async () => {
    const { fresh } = someReads({ freshFor: 1 })
    await eventually(async () => {
      await fresh(site)
      expect(requests.length).toBeGreaterThan(1)
    })
  })

  it.each([
    ['another path', { path: '/other' }],
    ['another token', { ...site, token: 'a' }],
    ['another query', { ...site, query: { a: 'b' } }],
    ['another body', { ...site, method: 'POST' as const, body: { a: 'b' } }],
  ])('is not shared with %s', async (_what, request) => {
    const { fresh } = someReads()
    const [one, other] = await Promise.all([fresh(site), fresh(request)])
    expect([requests.length, one === other]).toEqual([2, false])
  })

  it('is shared by visitors wherever they come from', async () => {
    const { fresh } = someReads()
    await Promise.all([
      fresh({ ...site, visitorAddress: '192.0.2.1' }),
      fresh({ ...site, visitorAddress: '192.0.2.2' }),
    ])
    expect(requests).toHaveLength(1)
  })

  it.each([404, 503])('does not keep an answer of %s', async status => {
    const { fresh } = someReads()
    answer.status = status
    await expect(fresh(site)).rejects.toMatchObject({ status })
    answer.status = 200
    await eventually(async () => expect(await fresh(site)).toEqual({ title: 'Docs' }))
  })

  it('keeps no more than its room, whatever visitors ask for', async () => {
    const { fresh, state } = someReads({ maxBytes: 40_000 })
    const queries = Array.from({ length: 40 }, (_, number) => ({
      ...site,
      method: 'POST' as const,
      body: `${number}${'x'.repeat(1_000)}`,
    }))
    for (const body of queries) await fresh(body)
    expect(state().bytes).toBeLessThanOrEqual(10_000)
    // The first ones have made room for the others.
    await fresh(queries[0] ?? site)
    expect(requests).toHaveLength(41)
  })

  it('keeps nothing that is larger than its room, and answers with it', async () => {
    const { fresh, state } = someReads({ maxBytes: 4_000 })
    answer.text = JSON.stringify({ text: 'x'.repeat(10_000) })
    await fresh(site)
    expect(await fresh(site)).toEqual(JSON.parse(answer.text))
    expect([requests.length, state().bytes]).toEqual([2, 0])
  })
})

describe('fresh with marks', () => {
  const markOf = ({ title }: { title: string }) => (title === 'none' ? undefined : title)
  const pages = Array.from({ length: 20 }, (_, at) => ({ path: `/page-${at}` }))
  /** Reads that all have been answered once, and are fresh no more. */
  async function answeredReads(freshFor = 1) {
    const reads = someReads({ freshFor })
    const read = () => Promise.all(pages.map(page => reads.fresh(page, { markOf })))
    const before = await read()
    await sleep(10)
    requests.splice(0)
    return { read, before, reads }
  }

  it('asks for one of those with the same mark, which confirms the others', async () => {
    const { read, before } = await answeredReads()
    expect(await read()).toEqual(before)
    expect(requests).toHaveLength(1)
  })

  it('asks for all once the mark of one is another', async () => {
    const { read } = await answeredReads()
    answer.text = '{"title":"Others"}'
    expect(new Set((await read()).map(({ title }) => title))).toEqual(new Set(['Others']))
    expect(requests.toSorted()).toEqual(pages.map(({ path }) => `/v1${path}`).toSorted())
  })

  it('asks for each where no reply is fresh for any time, as for a folder that is previewed', async () => {
    const { read } = await answeredReads(0)
    await read()
    expect(requests).toHaveLength(pages.length)
  })

  it('asks for each whose reply has no mark', async () => {
    answer.text = '{"title":"none"}'
    const { read } = await answeredReads()
    await read()
    expect(requests).toHaveLength(pages.length)
  })

  it('asks for the others when the one that would confirm them fails', async () => {
    const { reads } = await answeredReads()
    answer.status = 404
    const failing = Promise.allSettled(pages.map(page => reads.fresh(page, { markOf })))
    expect((await failing).map(({ status }) => status)).toEqual(pages.map(() => 'rejected'))
    expect(requests).toHaveLength(pages.length)
  })

  it('is confirmed by no reply that was asked for before all were forgotten', async () => {
    const { read, reads } = await answeredReads()
    const first = read()
    reads.forget()
    await Promise.all([first, read()])
    expect(requests).toHaveLength(2)
  })

  it('asks again for one that is asked for with renew', async () => {
    const { read, reads } = await answeredReads()
    await read()
    const [page = site] = pages
    await reads.fresh(page, { markOf, renew: true })
    expect(requests).toHaveLength(2)
  })
})

describe('immutable', () => {
  it('asks once, at the same time or later', async () => {
    const { immutable, forget } = someReads()
    const replies = await Promise.all([immutable(site), immutable(site)])
    forget()
    expect([new Set([...replies, await immutable(site)]).size, requests.length]).toEqual([1, 1])
  })

  it('does not keep a failure', async () => {
    const { immutable } = someReads()
    answer.status = 404
    await expect(immutable(site)).rejects.toMatchObject({ status: 404 })
    answer.status = 200
    expect(await immutable(site)).toEqual({ title: 'Docs' })
  })
})

describe.each(['fresh', 'immutable'] as const)('%s until somebody leaves', how => {
  it('ends at the API when nobody waits any more, and is asked for again later', async () => {
    const reads = someReads()
    const leaving = [new AbortController(), new AbortController()]
    waits = true
    const replies = leaving.map(({ signal }) =>
      reads
        .until(signal)
        [how](site)
        .catch((error: unknown) => error),
    )
    await eventually(() => expect(requests).toHaveLength(1))
    leaving[0]?.abort(new Error('gone'))
    expect(await replies[0]).toMatchObject({ message: 'gone' })
    waits = false
    expect([abandoned.length, requests.length]).toEqual([0, 1])
    leaving[1]?.abort(new Error('gone'))
    expect(await replies[1]).toMatchObject({ message: 'gone' })
    expect(await reads[how](site)).toEqual({ title: 'Docs' })
    await eventually(() => expect([abandoned.length, requests.length]).toEqual([1, 2]))
  })

  it('goes on for who stays, and is not begun for who has left', async () => {
    const reads = someReads()
    const leaving = new AbortController()
    const left = reads.until(leaving.signal)[how](site)
    const stayed = reads[how](site)
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    expect(await stayed).toEqual({ title: 'Docs' })
    await expect(reads.until(leaving.signal)[how]({ path: '/other' })).rejects.toThrow('gone')
    expect([abandoned, requests]).toEqual([[], ['/v1/site']])
  })
})

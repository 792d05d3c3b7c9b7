import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { jsonText } from '@recto/operation'
import { encodeReply } from './encode-reply.ts'

const Item = z.object({ id: z.number(), name: z.string().optional() })
const row = { reply: z.object({ title: z.string(), items: z.array(Item), note: z.string().optional() }) }
const read = async (reply: unknown) =>
  JSON.parse(Buffer.from((await encodeReply(row as never, reply)).body).toString()) as unknown
const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `Ü"${id}` }))

describe('a reply', () => {
  it.each([0, 1, 20, 21, 1_000])('with %s items has what the schema declares', async count => {
    const rows = items(count).map(item => ({ ...item, secret: true }))
    const reply = { note: undefined, title: 'T', items: rows, secret: true }
    expect(await read(reply)).toEqual({ title: 'T', items: items(count) })
  })

  it('of an immutable row that is the same object is encoded once, for each row', async () => {
    const reply = { title: 'T', items: items(30) }
    const immutable = { ...row, cache: { immutable: true } }
    const other = { reply: z.object({ title: z.string() }), cache: { immutable: true } }
    const first = await encodeReply(immutable as never, reply)
    expect((await encodeReply(immutable as never, reply)).body).toBe(first.body)
    expect(Buffer.from((await encodeReply(other as never, reply)).body).toString()).toBe('{"title":"T"}')
    expect((await encodeReply(row as never, reply)).body).not.toBe(first.body)
    expect((await encodeReply(immutable as never, { ...reply })).body).not.toBe(first.body)
  })

  it('has JSON texts as they are, alone or beside what is shaped', async () => {
    const text = '{"b": 1,  "a":"Ü", "__proto__": {}}'
    const bytes = Buffer.from(text)
    const withText = { reply: z.object({ title: z.string(), document: z.record(z.string(), z.unknown()) }) }
    const bodyOf = async (reply: unknown) => Buffer.from((await encodeReply(withText as never, reply)).body).toString()
    expect(await bodyOf({ document: jsonText(bytes), title: 'T', secret: true })).toBe(
      `{"title":"T","document":${text}}`,
    )
    expect(await bodyOf(jsonText(bytes))).toBe(text)
    expect(await bodyOf({ document: jsonText(bytes) }).catch(String)).toMatch('Something went wrong')
    expect(await bodyOf({ title: jsonText(bytes), document: {} }).catch(String)).toMatch('Something went wrong')
  })

  it.each([20, 1_000])('of %s items with one that does not match fails', async count => {
    const encode = async () => encodeReply(row as never, { title: 'T', items: [...items(count), { id: 'x' }] })
    await expect(encode()).rejects.toThrow('Something went wrong')
  })

  it('that is large leaves turns to others, also beside another and after one that fails', async () => {
    const large = { title: 'T', items: items(100_000) }
    let turns = 0
    const count = () => void ((turns += 1), (timer = setImmediate(count)))
    let timer = setImmediate(count)
    const replies = await Promise.allSettled([
      read(large),
      read({ ...large, items: [...large.items, { id: 'x' }] }),
      read(large),
    ])
    clearImmediate(timer)
    expect(replies.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(turns).toBeGreaterThan(5)
  })
})

import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually, removeFolder } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { cleanEnvironment } from './config.ts'
import { Endpoint, type Event } from './endpoint.ts'
import { anOrganization, sendRaw, type Person } from './people.ts'
import { healthUrlOf, isReady } from './replicas.ts'
import { removeData, startStack, type Stack, usualTime } from './stack.ts'

const program = fileURLToPath(new URL('../../docs/examples/mirror.mjs', import.meta.url))

let stack: Stack
let organization: { id: string; admin: Person }
beforeAll(async () => {
  stack = await startStack({ env: { ...usualTime, RATE_LIMIT: '1000000' } })
  organization = await anOrganization(stack)
})
afterAll(async () => {
  await stack.stop()
  await removeData(stack.dataDir)
})

const send = (method: string, path: string, body?: object) =>
  sendRaw(stack.url, organization.admin, { method, path, ...(body && { body }) })

/** All events of the feed, read page by page. */
async function readFeed(): Promise<Event[]> {
  const events: Event[] = []
  for (let cursor = '0'; ;) {
    const reply = await send('GET', `/orgs/${organization.id}/events?limit=500&after=${cursor}`)
    const part = reply.body as { events: Event[]; cursor: string }
    events.push(...part.events)
    if (part.events.length === 0) return events
    cursor = part.cursor
  }
}

/** A write that was acknowledged: its request, and the space that it changed. */
interface Write {
  request: string
  space: string
  type: string
}

/** Writes without end until stopped: creates spaces, and renames and deletes them; keeps what was acknowledged. */
function startWriting(): { writes: Write[]; stop(): Promise<void> } {
  const writes: Write[] = []
  let isOver = false
  const attempt = async (type: string, method: string, path: string, body?: object) => {
    const reply = await send(method, path, body).catch(() => undefined)
    if (!reply || reply.status >= 300) return undefined
    const { id } = (reply.body ?? {}) as { id?: string }
    const space = id ?? path.split('/').at(-1) ?? ''
    writes.push({ request: reply.headers.get('x-request-id') ?? '', space, type })
    return space
  }
  const work = async (name: number) => {
    for (let count = 0; !isOver; count += 1) {
      const space = await attempt('space.created', 'POST', `/orgs/${organization.id}/spaces`, {
        title: `${name} ${count}`,
      })
      if (space === undefined) continue
      await attempt('space.updated', 'PATCH', `/spaces/${space}`, { title: `${name} ${count} renamed` })
      if (count % 3 === 0) await attempt('space.deleted', 'DELETE', `/spaces/${space}`)
    }
  }
  const workers = [1, 2].map(work)
  return {
    writes,
    async stop() {
      isOver = true
      await Promise.all(workers)
    },
  }
}

function startMirror(file: string): ChildProcess {
  const env = { ...cleanEnvironment(), RECTO_TOKEN: organization.admin.token }
  return spawn(process.execPath, [program, stack.url, organization.id, file], { env, stdio: 'ignore' })
}

async function killProcess(name: string): Promise<void> {
  process.kill(stack.pidOf(name), 'SIGKILL')
  await eventually(async () => expect(await isReady(healthUrlOf(stack, 'events'))).toBe(true))
}

describe('what happened', () => {
  it('is in the feed once and reaches endpoints and mirrors, through kills of everything under load', async () => {
    const endpoint = new Endpoint()
    await endpoint.start()
    const webhook = await send('POST', `/orgs/${organization.id}/webhooks`, { url: endpoint.url('hook') })
    const { id: webhookId, secret } = webhook.body as { id: string; secret: string }
    endpoint.accept('hook', secret)
    const file = join(stack.dataDir, 'mirror.json')
    let mirror = startMirror(file)
    const writing = startWriting()
    const progress = () => {
      const before = writing.writes.length
      return eventually(() => expect(writing.writes.length).toBeGreaterThan(before + 10))
    }
    await progress()
    await killProcess('events')
    await progress()
    await endpoint.kill()
    await progress()
    mirror.kill('SIGKILL')
    await killProcess('content')
    await endpoint.start()
    mirror = startMirror(file)
    await progress()
    // The running server may write a file between the listing of a folder and its removal.
    const streams = join(stack.dataDir, 'nats', 'jetstream')
    await removeFolder(streams)
    await killProcess('nats')
    await progress()
    await killProcess('postgres')
    await progress()
    await writing.stop()

    // Every change that was acknowledged is in the feed once.
    const { writes } = writing
    const events = await eventually(async () => {
      const all = await readFeed()
      const counts = new Map<string, number>()
      for (const { request, type } of all) counts.set(`${request} ${type}`, (counts.get(`${request} ${type}`) ?? 0) + 1)
      expect(writes.filter(({ request, type }) => counts.get(`${request} ${type}`) !== 1)).toEqual([])
      return all
    })
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    // Those of one space are in the order of its life.
    const typesOf = (space: string) => events.filter(each => each.subject.space === space).map(({ type }) => type)
    for (const space of new Set(writes.map(write => write.space))) {
      const order = ['space.created', 'space.content.updated', 'space.updated', 'space.deleted']
      const places = typesOf(space).map(type => order.indexOf(type))
      expect([space, places]).toEqual([space, places.toSorted((a, b) => a - b)])
    }
    // The endpoint has each at least once, first in order for each space; what waits for its next attempt is sent now.
    await send('POST', `/orgs/${organization.id}/webhooks/${webhookId}/replay`, { from: '2026-01-01T00:00:00Z' })
    await eventually(() =>
      expect(events.filter(({ id }) => !endpoint.messagesOf('hook').some(message => message.id === id))).toEqual([]),
    )
    // The mirror has what there is.
    await eventually(async () => {
      const { spaces } = JSON.parse(await readFile(file, 'utf8')) as { spaces: Record<string, string> }
      const { body } = await send('GET', `/orgs/${organization.id}/spaces?limit=1000`)
      const { items } = body as { items: { id: string; title: string }[] }
      expect(spaces).toEqual(Object.fromEntries(items.map(({ id, title }) => [id, title])))
    })
    mirror.kill('SIGKILL')
    await endpoint.kill()
  })
})

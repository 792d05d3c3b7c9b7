import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { anOrganization } from '../harness/api.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import { readTicks, ticksPerSecond } from '../harness/cpu.ts'
import type { Finding } from '../harness/finding.ts'
import { databaseUrl, pidOf } from '../harness/stack.ts'
import { median, rounded } from '../harness/statistics.ts'

const few = 1_000
const many = 1_000_000
const readsPerFeed = 100
const page = 100
/** Events that are sent to a webhook, about so many resources. */
const sent = 5_000
const spaces = 500

/** Reads of a feed of a million events against one of a thousand, and how many events reach a webhook in a second. */
export const measureEvents: Measure = async bench => [await measureFeeds(bench), ...(await measureWebhook(bench))]

/** Adds events to an organization: `count` of them behind those that it has, which may be about to get more. */
async function addEvents(client: pg.Client, organization: string, count: number): Promise<void> {
  await client.query('begin')
  await client.query(
    `insert into event_sequences (organization_id, last, last_hash, deleted_up_to, deleted_hash)
     values ($1, 0, '\\x00', 0, '\\x00') on conflict do nothing`,
    [organization],
  )
  await client.query('select from event_sequences where organization_id = $1 for update', [organization])
  await client.query(
    `insert into events (organization_id, sequence, id, source, occurred_at, type, subject, subject_ids, hash)
     select $1, s.last + n, gen_random_uuid()::text, 'content', now(), 'space.updated',
       jsonb_build_object('space', 'space ' || n % $3::int), array['space ' || n % $3::int], sha256(convert_to($1 || n, 'UTF8'))
     from event_sequences s, generate_series(1, $2::int) n where s.organization_id = $1`,
    [organization, count, spaces],
  )
  await client.query(
    `update event_sequences set last = last + $2, last_hash = (
       select hash from events where organization_id = $1 order by sequence desc limit 1
     ) where organization_id = $1`,
    [organization, count],
  )
  await client.query('commit')
}

async function measureFeeds({ api, stack, print }: Bench): Promise<Finding> {
  const client = new pg.Client({ connectionString: await databaseUrl(stack, 'events') })
  await client.connect()
  const organizations = { few: await anOrganization(api), many: await anOrganization(api) }
  await addEvents(client, organizations.few, few)
  await addEvents(client, organizations.many, many)
  await client.query('analyze events')
  const middle = async (organization: string, count: number) => {
    const { rows } = await client.query<{ hash: Buffer }>(
      'select hash from events where organization_id = $1 and sequence = $2',
      [organization, count / 2],
    )
    const cursor = `${count / 2}-${rows[0]?.hash.toString('hex').slice(0, 16)}`
    return `/orgs/${organization}/events?limit=${page}&after=${cursor}`
  }
  const paths = { few: await middle(organizations.few, few), many: await middle(organizations.many, many) }
  await client.end()
  const times = { few: [] as number[], many: [] as number[] }
  for (let read = 0; read < readsPerFeed; read++) {
    times.few.push((await api.time(paths.few)).ms)
    times.many.push((await api.time(paths.many)).ms)
  }
  const fewer = median(times.few)
  const more = median(times.many)
  const detail = `${more.toFixed(1)} ms against ${fewer.toFixed(1)} ms, ${page} events`
  print(`  feed: ${detail}`)
  return {
    what: 'read of a feed of 1,000,000 events, against one of 1,000',
    value: rounded(more / fewer),
    unit: 'x',
    budget: { atMost: 1.2 },
    detail,
    figures: { few: fewer, many: more },
  }
}

async function measureWebhook({ api, stack, print, cleanup }: Bench): Promise<Finding[]> {
  const state = { count: 0 }
  const server = createServer((request, response) => {
    state.count += 1
    request.resume().on('end', () => response.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  cleanup.add(async () => void server.close())
  await new Promise(resolve => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const organization = await anOrganization(api)
  await api.post(`/orgs/${organization}/webhooks`, { url, types: ['space.updated'] })
  const client = new pg.Client({ connectionString: await databaseUrl(stack, 'events') })
  await client.connect()
  const pid = String(await pidOf(stack, 'events'))
  const before = await readTicks(pid)
  const started = performance.now()
  await addEvents(client, organization, sent)
  while (state.count < sent) await sleep(20)
  const seconds = (performance.now() - started) / 1_000
  const after = await readTicks(pid)
  await client.end()
  const cpu = before && after ? (after.ticks - before.ticks) / ticksPerSecond : undefined
  const detail = `${sent} events to one endpoint in ${seconds.toFixed(1)} s, ${cpu?.toFixed(1) ?? 'unknown'} s of CPU of events`
  print(`  webhook: ${detail}`)
  const figures = { sent, seconds, cpu }
  return [
    {
      what: 'events sent to one webhook',
      value: rounded(sent / seconds, 0),
      unit: 'per second',
      detail,
      figures,
    },
    ...(cpu
      ? [
          {
            what: 'events sent to webhooks, by one core of events',
            value: rounded(sent / cpu, 0),
            unit: 'per second' as const,
            detail,
            figures,
          },
        ]
      : []),
  ]
}

// The bare pipe's second process: one prepared statement for a request, or one transaction, and nothing else.
import { connect, type Msg } from '@nats-io/transport-node'
import pg from 'pg'
import { config } from '../harness/config.ts'
import { connectionOptions } from './nats.ts'

const pool = new pg.Pool({ connectionString: config.bare.databaseUrl, max: 10 })
const connection = await connect(connectionOptions(config.bare.natsUrl))
const serve = (subject: string, answer: (message: Msg) => Promise<unknown>) =>
  connection.subscribe(subject, {
    queue: 'bare',
    callback: (_error, message) => void answer(message).then(reply => message.respond(JSON.stringify(reply))),
  })

/** The rows of a list, and those that a write adds: a text, its place in three nodes, a revision and an event. */
const listed = 50
const nodes = 3
await pool.query(`create table if not exists bench_pages (id text primary key, title text, slug text, record jsonb)`)
await pool.query(`create table if not exists bench_content (id bigserial primary key, kind text, body text)`)
await pool.query(`create table if not exists bench_spaces (id text primary key, revision bigint)`)
await pool.query(
  `insert into bench_pages select n::text, 'Page ' || n, 'page-' || n, jsonb_build_object('type', 'document', 'path', 'page-' || n,
     'createdAt', now(), 'updatedAt', now(), 'layout', '{"width": "default", "title": true}'::jsonb)
   from generate_series(1, $1::int) n on conflict do nothing`,
  [listed],
)
await pool.query(`insert into bench_spaces values ('bench', 0) on conflict do nothing`)

serve('bare.space', async message => {
  const statement = { name: 'space', text: 'select * from spaces where id = $1', values: [message.string()] }
  return (await pool.query(statement)).rows[0] as unknown
})
serve('bare.pages', async () => (await pool.query({ name: 'pages', text: 'select * from bench_pages' })).rows)
serve('bare.content', async message => {
  const client = await pool.connect()
  const add = (kind: string, body: string) =>
    client.query({ name: 'add', text: 'insert into bench_content (kind, body) values ($1, $2)', values: [kind, body] })
  try {
    await client.query('begin')
    await client.query({ name: 'lock', text: `select revision from bench_spaces where id = 'bench' for update` })
    await add('document', message.string())
    for (let node = 0; node < nodes; node += 1) await add('node', message.string())
    await add('revision', '{}')
    const move = `update bench_spaces set revision = revision + 1 where id = 'bench' returning revision`
    const { rows } = await client.query({ name: 'move', text: move })
    await add('event', '{}')
    await client.query('commit')
    return rows[0] as unknown
  } finally {
    client.release()
  }
})
await connection.flush()
process.stdout.write('ready\n')
process.once('SIGINT', () => void connection.drain().then(() => pool.end()))

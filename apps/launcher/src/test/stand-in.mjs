// Stands in for a process of the platform: migrates, tells its environment, and keeps a count of its starts in its database.
import { createServer } from 'node:http'
import { Client } from 'pg'

const { MIGRATE_AT_START, HEALTH_PORT, PORT, STUBBORN, FAIL_MIGRATION, FLOOD, ...env } = process.env
const url = Object.entries(env).find(([name]) => name.startsWith('DATABASE_URL_'))?.[1]

async function query(text) {
  if (url === undefined) return []
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

if (MIGRATE_AT_START === 'true') {
  if (FAIL_MIGRATION) throw new Error('the migration does not like it')
  await query('CREATE TABLE IF NOT EXISTS starts (pid int)')
}
await query(`INSERT INTO starts VALUES (${process.pid})`)
const server = createServer(async (request, response) => {
  if (request.url === '/readyz') return response.end('ok')
  const rows = await query('SELECT count(*)::int AS n FROM starts').catch(() => [])
  response.end(JSON.stringify({ env: process.env, starts: rows[0]?.n }))
})
server.listen(Number(HEALTH_PORT ?? PORT), '127.0.0.1')
if (STUBBORN) process.on('disconnect', () => {})
else process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => process.exit())
console.log(JSON.stringify({ level: 'warn', msg: 'something to know' }))
for (let at = 0; at < Number(FLOOD ?? 0); at++) console.log(JSON.stringify({ level: 'warn', msg: 'no bus' }))

// The bare pipe's second process: one prepared statement per request, and nothing else.
import { connect } from '@nats-io/transport-node'
import pg from 'pg'
import { config } from '../harness/config.ts'
import { connectionOptions } from './nats.ts'

const pool = new pg.Pool({ connectionString: config.bare.databaseUrl, max: 10 })
const connection = await connect(connectionOptions(config.bare.natsUrl))
connection.subscribe('bare.space', {
  queue: 'bare',
  callback: (_error, message) => {
    void pool
      .query({ name: 'space', text: 'select * from spaces where id = $1', values: [message.string()] })
      .then(({ rows }) => message.respond(JSON.stringify(rows[0])))
  },
})
await connection.flush()
process.stdout.write('ready\n')
process.once('SIGINT', () => void connection.drain().then(() => pool.end()))

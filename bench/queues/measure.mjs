// node bench/queues/measure.mjs <folder> [<one of them>]: compares libs/jobs with graphile-worker and pg-boss, which are installed in the folder
// (`npm install graphile-worker@0.17.3 pg-boss@10.4.2 pg`) and not in this repository. Decision 0058 has the results.
import { fork } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, chmod } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const [folder, kind, mode, url] = process.argv.slice(2)
const installed = createRequire(join(resolve(folder ?? '.'), 'x.js'))
const kinds = ['libs/jobs', 'graphile-worker', 'pg-boss']
const seconds = 60
const leaseSeconds = 10
/** A job that takes so many milliseconds, or never ends. */
const work = ({ ms }) => (ms < 0 ? new Promise(() => undefined) : sleep(ms))

/** How each of the three starts a worker, and how a job is written in a transaction of `client`. */
const adapters = {
  'graphile-worker': {
    prepare: async () => void (await installed('graphile-worker').runMigrations({ connectionString: url })),
    async start(onStart, concurrency) {
      const task = async payload => (onStart(payload), work(payload))
      const options = { connectionString: url, concurrency, noHandleSignals: true, taskList: { task }, logger: quiet() }
      await installed('graphile-worker').run(options)
    },
    enqueue: (client, payload) => client.query(`select graphile_worker.add_job('task', $1::json)`, [payload]),
  },
  'pg-boss': {
    async prepare() {
      const boss = new (installed('pg-boss'))({ connectionString: url, supervise: false, schedule: false })
      await boss.start()
      await boss.createQueue('task')
      await boss.stop({ graceful: false })
    },
    async start(onStart, concurrency) {
      const boss = new (installed('pg-boss'))({ connectionString: url, max: concurrency + 1 })
      boss.on('error', error => console.error(error))
      await boss.start()
      this.boss = boss
      const options = { pollingIntervalSeconds: 0.5, batchSize: 1 }
      for (let at = 0; at < concurrency; at += 1)
        await boss.work('task', options, async ([job]) => (onStart(job.data), work(job.data)))
    },
    async enqueue(client, payload) {
      this.sender ??= new (installed('pg-boss'))({ db: { executeSql: (...query) => client.query(...query) } })
      const db = { executeSql: (...query) => client.query(...query) }
      await this.sender.send('task', payload, { db, expireInSeconds: leaseSeconds })
    },
  },
  'libs/jobs': {
    async prepare() {
      const { wakeFunction, wakeTrigger } = await ours()
      const client = await connect()
      await client.query(
        `create table tasks (id text primary key default gen_random_uuid(), organization text, payload jsonb, state text default 'queued',
           attempts int default 0, heartbeat_at timestamptz(3), created_at timestamptz(3) default clock_timestamp())`,
      )
      await client.query(`create index on tasks (created_at) where state in ('queued', 'running')`)
      await client.query(wakeFunction)
      await client.query(wakeTrigger('tasks', { columns: ['state'], when: `new.state = 'queued'` }))
      await client.end()
    },
    async start(onStart, concurrency) {
      const { createWorker, stateJobs, startListening, startScheduler, openDatabase, entity, transact } = await ours()
      const database = await openDatabase({ url, entities: [entity], migrations: [], poolSize: concurrency + 1 })
      const db = database.manager
      const log = { warn: (...all) => console.error(...all) }
      const transaction = use => transact(db, () => undefined, use)
      const states = { waiting: 'queued', running: 'running', group: 'job.organization' }
      const table = stateJobs({ entity, ...states, leaseMs: leaseSeconds * 1000, maxAttempts: 3 })
      const worker = createWorker({
        name: 'tasks',
        table,
        wokenBy: ['tasks'],
        db,
        transaction,
        log,
        concurrency,
        every: 50,
        heartbeat: 2_000,
        timeoutMs: 3_600_000,
        giveUp: async () => undefined,
        async attempt({ payload }, job) {
          onStart(payload)
          await work(payload)
          await job.finish(db, { state: 'done' })
        },
      })
      startScheduler([worker.work], log, startListening({ url, log }))
    },
    enqueue: (client, payload) =>
      client.query('insert into tasks (payload, organization) values ($1, $2)', [payload, payload.organization]),
  },
}

function quiet() {
  const { Logger } = installed('graphile-worker')
  return new Logger(() => () => undefined)
}

/** Our libraries, bundled from their sources. */
async function ours() {
  const { onlyOurs } = await import('../../scripts/bundle.mjs')
  const esbuild = await import('esbuild')
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const outfile = join(root, `dist/queues-${process.pid}.mjs`)
  const lines = ['jobs', 'database', 'service', 'embedded'].map(name => `export * from '@recto/${name}'`)
  const contents = [...lines, `export { EntitySchema } from 'typeorm'`].join('\n')
  await esbuild.build({
    stdin: { contents, resolveDir: join(root, 'bench') },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    plugins: [onlyOurs()],
    logLevel: 'error',
  })
  const all = await import(pathToFileURL(outfile).href)
  await rm(outfile)
  const text = { type: 'text' }
  const time = name => ({ type: 'timestamptz', precision: 3, name, nullable: true })
  const entity = new all.EntitySchema({
    name: 'Task',
    tableName: 'tasks',
    columns: {
      id: { ...text, primary: true },
      organization: text,
      payload: { type: 'jsonb' },
      state: text,
      attempts: { type: 'int' },
      heartbeatAt: time('heartbeat_at'),
      createdAt: time('created_at'),
    },
  })
  return { ...all, entity }
}

async function connect() {
  const client = new (installed('pg').Client)({ connectionString: url ?? connect.url })
  await client.connect()
  return client
}

const adapter = adapters[kind]
if (mode === 'prepare') await adapter.prepare()
else if (mode === 'work') {
  await adapter.start(payload => process.send({ started: payload, at: Date.now() }), 4)
  process.on('message', () => process.send({ cpu: process.cpuUsage() }))
  process.send({ ready: true })
} else if (mode === 'measure') await measure()
else await compare()

/** Runs the measures of each of the three in a database of its own. */
async function compare() {
  const { startPostgres } = await ours()
  const dataDir = await mkdtemp(join(tmpdir(), 'queues-'))
  await chmod(dataDir, 0o711)
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), password: 'queues', durable: false })
  try {
    connect.url = postgres.url
    const admin = await connect()
    for (const [at, name] of kinds.entries()) {
      if (kind !== undefined && kind !== name) continue
      const database = `queues${at}`
      await admin.query(`create database ${database}`)
      const at_ = new URL(postgres.url)
      at_.pathname = database
      console.log(name)
      for (const step of ['prepare', 'measure']) await exited(run(name, step, at_.href, postgres.pid))
    }
    await admin.end()
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function run(name, step, at, ...rest) {
  return fork(fileURLToPath(import.meta.url), [folder, name, step, at, ...rest.map(String)])
}
function exited(child) {
  return new Promise(done => child.once('exit', done))
}

/** Starts a worker process; `next` resolves with its next message that has a property. */
async function aWorker() {
  const child = run(kind, 'work', url)
  const messages = []
  const waiting = []
  child.on('message', message => (messages.push(message), waiting.splice(0).forEach(look => look())))
  const next = async (property, seen = () => true) => {
    for (;;) {
      const at = messages.findIndex(message => property in message && seen(message))
      if (at >= 0) return messages.splice(at, 1)[0]
      await new Promise(look => waiting.push(look))
    }
  }
  await next('ready')
  return { child, next }
}

async function measure() {
  const postgresPid = Number(process.argv[6])
  const client = await connect()
  const one = await aWorker()
  await sleep(5_000)
  await idle(client, one, postgresPid)
  await latency(client, one)
  await rollback(client, one)
  await fairness(client, one)
  await takeOver(client, one)
  await client.end()
  process.exit()
}

async function idle(client, { child, next }, postgresPid) {
  const connections = `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  const commits = `select xact_commit::int as n from pg_stat_database where datname = current_database()`
  const cpu = async () => (child.send('cpu'), (await next('cpu')).cpu)
  const read = async () => ({
    commits: (await client.query(commits)).rows[0].n,
    cpu: await cpu(),
    postgres: await ticks(postgresPid),
  })
  const before = await read()
  await sleep(seconds * 1_000)
  const after = await read()
  const ms = (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1_000
  console.log(`  connections of a process with 4 places: ${(await client.query(connections)).rows[0].n}`)
  console.log(
    `  idle for a minute: ${after.commits - before.commits} transactions, ${ms.toFixed(0)} ms of CPU, Postgres ${after.postgres - before.postgres} ticks`,
  )
}

/** CPU ticks of a process and those below it. */
async function ticks(pid) {
  const all = await Promise.all(
    (await readdir('/proc'))
      .filter(name => /^\d+$/.test(name))
      .map(async name => {
        const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
        return { pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
      }),
  )
  return all.filter(one => one.pid === pid || one.parent === pid).reduce((sum, one) => sum + one.ticks, 0)
}

async function latency(client, { next }) {
  const delays = []
  for (let at = 0; at < 40; at += 1) {
    await client.query('begin')
    await adapter.enqueue(client, { id: at, ms: 0, organization: 'a' })
    await client.query('commit')
    const since = Date.now()
    delays.push((await next('started', ({ started }) => started.id === at)).at - since)
    await sleep(30 + at * 7)
  }
  delays.sort((a, b) => a - b)
  console.log(`  from commit to start: median ${delays[20]} ms, of 40 the slowest ${delays[39]} ms`)
}

async function rollback(client, { next }) {
  await client.query('begin')
  await adapter.enqueue(client, { id: 'never', ms: 0, organization: 'a' })
  await client.query('rollback')
  await client.query('begin')
  await adapter.enqueue(client, { id: 'after', ms: 0, organization: 'a' })
  await client.query('commit')
  const { started } = await next('started')
  console.log(`  enqueued in a transaction of ours that rolls back: ${started.id === 'after' ? 'never runs' : 'runs'}`)
}

async function fairness(client, { next }) {
  await client.query('begin')
  for (let at = 0; at < 200; at += 1) await adapter.enqueue(client, { id: `a${at}`, ms: 50, organization: 'a' })
  await client.query('commit')
  const since = Date.now()
  await adapter.enqueue(client, { id: 'b', ms: 0, organization: 'b' })
  const { at } = await next('started', ({ started }) => started.id === 'b')
  await next('started', ({ started }) => started.id === 'a199')
  console.log(`  behind 200 jobs of another organization (50 ms each, 4 places): starts after ${at - since} ms`)
}

async function takeOver(client, { child, next }) {
  await sleep(1_000)
  await adapter.enqueue(client, { id: 'taken over', ms: -1, organization: 'a' })
  await next('started', ({ started }) => started.id === 'taken over')
  const other = await aWorker()
  child.kill('SIGKILL')
  const since = Date.now()
  const taken = other.next('started', ({ started }) => started.id === 'taken over').then(({ at }) => at - since)
  const limit = 150_000
  const after = await Promise.race([taken, sleep(limit)])
  console.log(`  after kill -9 of the worker: ${after === undefined ? `not within ${limit / 1_000}` : after / 1_000} s`)
  other.child.kill('SIGKILL')
}

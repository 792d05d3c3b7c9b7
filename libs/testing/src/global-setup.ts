import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNatsServer, processIdentity, startPostgres, stopLeftoverNats, stopLeftoverPostgres } from '@recto/embedded'
import { config } from './config.ts'
import { containerRuntime, startPostgresContainer } from './containers.ts'
import { provideToWorkers } from './provided.ts'

const prefix = 'recto-tests-'

/** Where the setup of a run leaves what its teardown calls; both are loaded into the same process. */
export const stopServers: { current?: () => Promise<void> } = ((globalThis as { stopServers?: object }).stopServers ??=
  {})

/** Called by Jest once per run: starts PostgreSQL, finds nats-server, and provides both to the workers. */
export default async function setup(): Promise<void> {
  await removeAbandonedRuns()
  const folder = await mkdtemp(join(tmpdir(), prefix))
  // PostgreSQL may have to run as another user, who must be able to pass.
  await chmod(folder, 0o711)
  await writeOwner(folder)
  const { postgresUrl, natsBinary, stop } = config.containers ? await startContainers() : await startEmbedded(folder)
  provideToWorkers({ postgresUrl, natsBinary, runFolder: folder })
  stopServers.current = async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes whose folder it is. At once, since the suite that starts beside this one reads it. */
async function writeOwner(folder: string): Promise<void> {
  const unfinished = join(folder, 'owner.new')
  await writeFile(unfinished, JSON.stringify({ pid: process.pid, identity: await processIdentity(process.pid) }))
  await rename(unfinished, join(folder, 'owner.json'))
}

interface Servers {
  postgresUrl: string
  natsBinary: string
  stop: () => Promise<void>
}

async function startEmbedded(folder: string): Promise<Servers> {
  const [postgres, natsBinary] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres'), password: randomBytes(16).toString('hex'), durable: false }),
    natsServer(),
  ])
  return { postgresUrl: postgres.url, natsBinary, stop: postgres.stop }
}

async function startContainers(): Promise<Servers> {
  await containerRuntime()
  // Suites that kill a server and start it again need a program.
  const [postgres, natsBinary] = await Promise.all([startPostgresContainer(), natsServer()])
  return { postgresUrl: postgres.url, natsBinary, stop: postgres.stop }
}

function natsServer(): Promise<string> {
  return findNatsServer({
    cacheDir: join(import.meta.dirname, '../../../node_modules/.cache/recto'),
    env: config.environment,
  })
}

/** Removes what runs left behind that were killed: their servers are still running. */
async function removeAbandonedRuns(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name)
    if (!name.startsWith(prefix) || !(await isAbandoned(folder))) continue
    await stopLeftoverPostgres(join(folder, 'postgres'))
    // Another suite may sweep at the same time.
    for (const entry of await readdir(folder).catch(() => [])) {
      if (entry.startsWith('nats-')) await stopLeftoverNats(join(folder, entry))
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const content = await readFile(join(folder, 'owner.json'), 'utf8').catch(() => undefined)
  if (content === undefined) return false
  const { pid, identity }: { pid: number; identity: string } = JSON.parse(content)
  return (await processIdentity(pid)) !== identity
}

import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNatsServer, processIdentity, startPostgres, stopLeftoverNats, stopLeftoverPostgres } from '@recto/embedded'
import { workersFolder } from './built-workers.ts'
import { config } from './config.ts'
import { containerRuntime, startPostgresContainer } from './containers.ts'
import { provideToWorkers } from './provided.ts'
import { removeFolder } from './remove-folder.ts'

const prefix = 'recto-tests-'

/** Global key under which the setup stores the function that the teardown calls; both run in the same process. */
export const stopServers: { current?: () => Promise<void> } = ((globalThis as { stopServers?: object }).stopServers ??=
  {})

/** Called by Jest once per run: starts PostgreSQL, finds nats-server, and provides both to the workers. */
export default async function setup(): Promise<void> {
  await removeAbandonedRuns()
  const folder = await mkdtemp(join(tmpdir(), prefix))
  // PostgreSQL may run as another user, who needs to traverse this folder.
  await chmod(folder, 0o711)
  await writeOwner(folder)
  const { postgresUrl, natsBinary, stop } = config.containers ? await startContainers() : await startEmbedded(folder)
  provideToWorkers({ postgresUrl, natsBinary, runFolder: folder })
  stopServers.current = async () => {
    await stop()
    await removeFolder(folder)
    await removeFolder(workersFolder(folder))
  }
}

/** Writes the owning process into the folder immediately, because a suite that starts at the same time reads it. */
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
  // Suites that kill and restart a server need the program rather than a container.
  const [postgres, natsBinary] = await Promise.all([startPostgresContainer(), natsServer()])
  return { postgresUrl: postgres.url, natsBinary, stop: postgres.stop }
}

function natsServer(): Promise<string> {
  return findNatsServer({
    cacheDir: join(import.meta.dirname, '../../../node_modules/.cache/recto'),
    env: config.environment,
  })
}

/** Stops the servers and removes the folders of earlier runs that were killed. */
async function removeAbandonedRuns(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name)
    if (!name.startsWith(prefix) || !(await isAbandoned(folder))) continue
    await stopLeftoverPostgres(join(folder, 'postgres'))
    // Another suite may clean up at the same time.
    for (const entry of await readdir(folder).catch(() => [])) {
      if (entry.startsWith('nats-')) await stopLeftoverNats(join(folder, entry))
      if (entry.startsWith('postgres-')) await stopLeftoverPostgres(join(folder, entry))
    }
    await removeFolder(folder)
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const content = await readFile(join(folder, 'owner.json'), 'utf8').catch(() => undefined)
  if (content === undefined) return false
  const { pid, identity }: { pid: number; identity: string } = JSON.parse(content)
  return (await processIdentity(pid)) !== identity
}

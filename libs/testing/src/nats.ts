import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { startNats, type NatsUser } from '@recto/embedded'
import { config } from './config.ts'
import { startNatsContainer } from './containers.ts'
import { provided } from './provided.ts'
import { removeFolder } from './remove-folder.ts'

const everything: NatsUser = { name: 'test', password: 'test', publish: ['>'], subscribe: ['>'] }

/** A nats-server for one test file; `url` authenticates as the first user. */
export interface TestNats {
  url: string
  host: string
  port: number
  urlFor(user: string): string
  stop(): Promise<void>
}

/** Starts a nats-server with JetStream for one test file; without `users` it has one user with all permissions. */
export async function aNatsServer({
  users = [everything],
  maxPayload,
}: { users?: NatsUser[]; maxPayload?: number } = {}): Promise<TestNats> {
  const { host, port, stop } = config.containers
    ? await startNatsContainer(users, maxPayload)
    : await startOwn(users, maxPayload)
  const urlFor = (name: string) => {
    const user = users.find(user => user.name === name)
    if (!user) throw new Error(`There is no NATS user ${name}`)
    return `nats://${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@${host}:${port}`
  }
  return { url: urlFor(users[0]?.name ?? ''), host, port, urlFor, stop }
}

/** A nats-server with JetStream, for one user with all permissions, that can be killed; never a container. */
export interface RestartableNats extends Omit<TestNats, 'urlFor'> {
  /** Kills the server and starts it on its port with what it stored, or without any of it. */
  restart(options?: { isEmpty?: boolean }): Promise<void>
}

/** Starts a nats-server for a test that kills it. */
export async function aRestartableNats({ maxPayload }: { maxPayload?: number } = {}): Promise<RestartableNats> {
  const storeDir = await mkdtemp(join(provided('runFolder'), 'nats-'))
  const options = { binary: provided('natsBinary'), storeDir, users: [everything], maxPayload }
  let nats = await startNats(options)
  const { host, port } = nats
  return {
    host,
    port,
    url: nats.urlFor(everything.name),
    restart: async ({ isEmpty = false } = {}) => {
      process.kill(nats.pid, 'SIGKILL')
      await nats.exited
      if (isEmpty) await removeFolder(storeDir)
      nats = await startNats({ ...options, port })
    },
    stop: async () => {
      await nats.stop()
      await removeFolder(storeDir)
    },
  }
}

async function startOwn(users: NatsUser[], maxPayload?: number): Promise<Pick<TestNats, 'host' | 'port' | 'stop'>> {
  const storeDir = await mkdtemp(join(provided('runFolder'), 'nats-'))
  const nats = await startNats({ binary: provided('natsBinary'), storeDir, users, maxPayload })
  const stop = async () => {
    await nats.stop()
    await removeFolder(storeDir)
  }
  return { host: nats.host, port: nats.port, stop }
}

import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Failure } from '@recto/operation'
import { natsConfig, type NatsCluster, type NatsUser } from './nats-config.ts'
import { freePort } from './ports.ts'
import { commandLine, spawnServer, stopProcess, type Exit, type ServerProcess } from './processes.ts'

const host = '127.0.0.1'
const portAttempts = 5

/** How to start a nats-server: its program, its folder and its users. */
export interface NatsOptions {
  binary: string
  storeDir: string
  users: NatsUser[]
  /** A free port when absent. */
  port?: number | undefined
  /** The largest message in bytes; 1 MiB when absent. */
  maxPayload?: number | undefined
  /** Where the server answers about itself; nowhere when absent. */
  monitorPort?: number
  /** A single server when absent. */
  cluster?: NatsCluster
  log?: (line: string) => void
}

/** A running nats-server; `urlFor` holds the user's password. */
export interface Nats {
  host: string
  port: number
  pid: number
  urlFor(user: string): string
  stop(): Promise<void>
  exited: Promise<Exit>
}

/**
 * Starts a nats-server with JetStream on 127.0.0.1, after stopping one that a killed launcher left behind in the folder.
 * Throws `unavailable` with the server's last output when it does not start.
 */
export async function startNats(options: NatsOptions): Promise<Nats> {
  const folder = resolve(options.storeDir)
  const paths = pathsIn(folder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await stopLeftoverNats(folder)
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort())
    await writeSecret(paths.config, natsConfig({ ...options, port, storeDir: folder, pidFile: paths.pid }))
    const server = await launch(options, paths.config)
    if (await server.ready) return natsHandle(server, port, options.users)
    const said = server.lastLines()
    const portTaken = said.includes('address already in use')
    if (!portTaken || options.port !== undefined || attempt === portAttempts) {
      throw new Failure('unavailable', `nats-server did not start in ${folder}:\n${said}`)
    }
  }
}

/** Stops a nats-server that still runs in this folder; it is identified by its command line, not by the pid file alone. */
export async function stopLeftoverNats(storeDir: string): Promise<void> {
  const paths = pathsIn(resolve(storeDir))
  const pid = Number(await readFile(paths.pid, 'utf8').catch(() => ''))
  if (Number.isInteger(pid) && pid > 1 && (await commandLine(pid)).endsWith(`-c ${paths.config}`)) {
    await stopProcess(pid, { signal: 'SIGINT' })
  }
}

function pathsIn(folder: string): { config: string; pid: string } {
  return { config: join(folder, 'nats.conf'), pid: join(folder, 'nats.pid') }
}

async function writeSecret(path: string, content: string): Promise<void> {
  await writeFile(path, content, { mode: 0o600 })
  await chmod(path, 0o600)
}

async function launch(
  { binary, log }: NatsOptions,
  config: string,
): Promise<ServerProcess & { ready: Promise<boolean> }> {
  let settle = (_isReady: boolean) => {}
  const ready = new Promise<boolean>(resolve => (settle = resolve))
  const server = await spawnServer({ file: binary, args: ['-c', config] }, line => {
    if (line.endsWith('Server is ready')) settle(true)
    log?.(line)
  })
  void server.exited.then(() => settle(false))
  return { ...server, ready }
}

function natsHandle({ pid, exited, hasExited }: ServerProcess, port: number, users: NatsUser[]): Nats {
  const urlFor = (name: string) => {
    const user = users.find(user => user.name === name)
    if (!user) throw new Failure('not_found', `There is no NATS user ${name}`)
    return `nats://${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@${host}:${port}`
  }
  const stop = async () => {
    if (!hasExited()) await stopProcess(pid, { signal: 'SIGINT' })
    await exited
  }
  return { host, port, pid, urlFor, stop, exited }
}

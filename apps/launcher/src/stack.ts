import { join } from 'node:path'
import { freePort, isPortFree } from '@recto/embedded'
import { Failure } from '@recto/operation'
import { startChild } from './child.ts'
import { maxPort, type Config } from './config.ts'
import { createPrivateFolder, acquireInstance, type Instance } from './instance.ts'
import { openLog } from './logs.ts'
import { gatewayUrl, processEnvironment, readerUrl, type Addresses } from './plan.ts'
import type { ProcessRow } from './processes.ts'
import { waitUntilReady } from './readiness.ts'
import { loadAdminToken, loadSecrets, saveSecrets, type AdminToken, type Secrets } from './secrets.ts'
import { startBus, startDatabases } from './servers.ts'
import { Supervised } from './supervised.ts'

/** Options of starting an installation. */
export interface StackOptions {
  config: Config
  table: ProcessRow[]
  /** The folder with `<name>/main.js` of each process. */
  appsFolder: string
  cacheDir: string
  print(line: string): void
  /** Aborts the start. */
  signal: AbortSignal
}

/** The address of the API and its first token, and where published sites are read. */
export interface Started {
  address: string
  reader: string | undefined
  token: AdminToken
}

interface Setup {
  secrets: Secrets
  token: AdminToken
  addresses: Addresses
}

/** All processes and servers of one installation. */
export class Stack {
  readonly #options: StackOptions
  readonly #servers: Supervised[] = []
  readonly #processes: Supervised[] = []
  #instance: Instance | undefined

  constructor(options: StackOptions) {
    this.#options = options
  }

  /** Starts everything and waits until it is ready; what was started is stopped again when something fails. */
  async start(): Promise<Started> {
    try {
      return await this.#start()
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  async #start(): Promise<Started> {
    const { config, table, signal } = this.#options
    const ports = await choosePorts(config)
    const address = config.publicUrl ?? gatewayUrl({ ports })
    this.#instance = await acquireInstance(config.dataDir, address)
    requireDistinctPorts(ports, this.#healthPorts())
    await requireFreePorts(ports)
    for (const name of ['blobs', 'cache']) await createPrivateFolder(join(config.dataDir, name))
    const secrets = await loadSecrets(
      config.dataDir,
      table.map(({ name }) => name),
    )
    const token = await loadAdminToken(config.dataDir, config.adminToken, secrets)
    const addresses = { ports, ...(await this.#startServers(secrets)) }
    signal.throwIfAborted()
    await this.#startProcesses({ secrets, token, addresses })
    signal.throwIfAborted()
    for (const supervised of [...this.#servers, ...this.#processes]) supervised.watch()
    if (token.origin === 'given') await saveSecrets(config.dataDir, { ...secrets, isTokenGiven: true })
    return { address, reader: readerUrl({ ports }), token }
  }

  async #startServers(secrets: Secrets): Promise<Omit<Addresses, 'ports'>> {
    const options = { ...this.#options, secrets, register: (server: Supervised) => void this.#servers.push(server) }
    // Both are awaited even when one fails, so that no server is left running.
    const [urls, natsUrlOf] = await Promise.allSettled([startDatabases(options), startBus(options)])
    if (urls.status === 'rejected') throw urls.reason
    if (natsUrlOf.status === 'rejected') throw natsUrlOf.reason
    return { databaseUrls: urls.value, natsUrlOf: natsUrlOf.value }
  }

  async #startProcesses(setup: Setup): Promise<void> {
    this.#options.print('Starting processes')
    const { table } = this.#options
    // The gateway is ready when every service has answered it: it is not waited for while one of them migrates, or does not start.
    const services = table.filter(({ portSetting }) => portSetting === undefined)
    const edges = table.filter(({ portSetting }) => portSetting !== undefined)
    for (const rows of [services, edges]) {
      const starts = await Promise.allSettled(rows.map(row => this.#startProcess(row, setup)))
      for (const start of starts) if (start.status === 'rejected') throw start.reason
    }
  }

  async #startProcess(row: ProcessRow, setup: Setup): Promise<void> {
    const { config, print, signal } = this.#options
    const log = openLog(config.dataDir, row.name)
    const own = row.hasHealthOnPort && row.portSetting && setup.addresses.ports[row.portSetting]
    const port = own ?? (await this.#healthPort(row))
    const env = this.#environment(row, setup, own === undefined ? port : undefined)
    const supervised = new Supervised({
      name: row.name,
      logPath: log.path,
      start: () => startChild({ ...this.#program(row), env, log }),
      print,
      recordPid: (name, pid) => this.#instance?.recordPid(name, pid) ?? Promise.resolve(),
    })
    this.#processes.push(supervised)
    const running = await supervised.start()
    await waitUntilReady({ name: row.name, port, running, log, signal })
  }

  async #healthPort(row: ProcessRow): Promise<number> {
    const ports = this.#healthPorts()
    const port = ports.get(row.name)
    if (port === undefined) return freePort()
    if (await isPortFree(port)) return port
    const message = `Port ${port} of ${row.name} is in use: set HEALTH_PORT to the first of ${ports.size} free ones.`
    throw new Failure('conflict', message)
  }

  /** The ports that HEALTH_PORT gives, by process; none when it is 0. */
  #healthPorts(): Map<string, number> {
    const { config, table } = this.#options
    const others = config.healthPort === 0 ? [] : table.filter(({ hasHealthOnPort }) => !hasHealthOnPort)
    return new Map(others.map(({ name }, index) => [name, config.healthPort + index]))
  }

  #program({ name }: ProcessRow): { name: string; file: string; print(line: string): void } {
    return { name, file: join(this.#options.appsFolder, name, 'main.js'), print: this.#options.print }
  }

  #environment(
    row: ProcessRow,
    { secrets, token, addresses }: Setup,
    healthPort?: number,
  ): Record<string, string | undefined> {
    return processEnvironment(row, {
      config: this.#options.config,
      secrets,
      adminToken: token.value,
      addresses,
      healthPort,
    })
  }

  /** Stops the edge first, then the services, then the servers they use. */
  async stop(): Promise<void> {
    const edges = new Set(this.#options.table.filter(({ portSetting }) => portSetting).map(({ name }) => name))
    const isEdge = ({ name }: Supervised) => edges.has(name)
    const groups = [
      this.#processes.filter(isEdge),
      this.#processes.filter(supervised => !isEdge(supervised)),
      this.#servers,
    ]
    for (const group of groups) await Promise.all(group.map(supervised => supervised.stop()))
    await this.#instance?.release()
  }
}

type Ports = Addresses['ports']

async function choosePorts({ port, readerPort }: Config): Promise<Ports> {
  const chosen = async (configuredPort: number) => (configuredPort === 0 ? freePort() : configuredPort)
  const PORT = await chosen(port)
  return readerPort === undefined ? { PORT } : { PORT, READER_PORT: await chosen(readerPort) }
}

function requireDistinctPorts(ports: Ports, healthPorts: Map<string, number>): void {
  const taken = new Map<number, string>()
  const settings = [...Object.entries(ports), ...[...healthPorts.values()].map(port => ['HEALTH_PORT', port] as const)]
  for (const [setting, port] of settings) {
    const other = taken.get(port)
    if (other) throw new Failure('invalid_request', `${other} and ${setting} give two processes port ${port}.`)
    if (port > maxPort)
      throw new Failure('invalid_request', `${setting} gives a process port ${port}, above ${maxPort}.`)
    taken.set(port, setting)
  }
}

async function requireFreePorts(ports: Ports): Promise<void> {
  for (const [setting, port] of Object.entries(ports))
    if (!(await isPortFree(port)))
      throw new Failure('conflict', `Port ${port} is in use: set ${setting} to another one.`)
}

import { join } from 'node:path'
import { freePort, isPortFree } from '@recto/embedded'
import { Failure } from '@recto/operation'
import { startChild } from './child.ts'
import type { Config } from './config.ts'
import { createPrivateFolder, acquireInstance, type Instance } from './instance.ts'
import { openLog } from './logs.ts'
import { processEnvironment, type Addresses } from './plan.ts'
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

/** The address of the API and its first token. */
export interface Started {
  address: string
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
    const port = config.port === 0 ? await freePort() : config.port
    const address = config.publicUrl ?? `http://127.0.0.1:${port}`
    this.#instance = await acquireInstance(config.dataDir, address)
    if (!(await isPortFree(port))) throw new Failure('conflict', `Port ${port} is in use: set PORT to another one.`)
    for (const name of ['blobs', 'cache']) await createPrivateFolder(join(config.dataDir, name))
    const secrets = await loadSecrets(
      config.dataDir,
      table.map(({ name }) => name),
    )
    const token = await loadAdminToken(config.dataDir, config.adminToken, secrets)
    const addresses = { port, ...(await this.#startServers(secrets)) }
    signal.throwIfAborted()
    await this.#startProcesses({ secrets, token, addresses })
    signal.throwIfAborted()
    for (const supervised of [...this.#servers, ...this.#processes]) supervised.watch()
    if (token.origin === 'given') await saveSecrets(config.dataDir, { ...secrets, isTokenGiven: true })
    return { address, token }
  }

  async #startServers(secrets: Secrets): Promise<Omit<Addresses, 'port'>> {
    const options = { ...this.#options, secrets, register: (server: Supervised) => void this.#servers.push(server) }
    // Both are awaited even when one fails, so that no server is left running.
    const [urls, natsUrlOf] = await Promise.allSettled([startDatabases(options), startBus(options)])
    if (urls.status === 'rejected') throw urls.reason
    if (natsUrlOf.status === 'rejected') throw natsUrlOf.reason
    return { databaseUrls: urls.value, natsUrlOf: natsUrlOf.value }
  }

  async #startProcesses(setup: Setup): Promise<void> {
    this.#options.print('Starting processes')
    const starts = await Promise.allSettled(this.#options.table.map(row => this.#startProcess(row, setup)))
    for (const start of starts) if (start.status === 'rejected') throw start.reason
  }

  async #startProcess(row: ProcessRow, setup: Setup): Promise<void> {
    const { config, print, signal } = this.#options
    const log = openLog(config.dataDir, row.name)
    const port = row.isEdge ? setup.addresses.port : await freePort()
    const env = this.#environment(row, setup, row.isEdge ? undefined : port)
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
    const edges = new Set(this.#options.table.filter(({ isEdge }) => isEdge).map(({ name }) => name))
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

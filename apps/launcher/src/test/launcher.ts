import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, startPostgres } from '@recto/embedded'
import { processes } from '../processes.ts'
import { removeFolder } from '@recto/testing'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../..')

/** A built checkout in a temporary folder: the real launcher with stub services. */
export interface Checkout {
  folder: string
  /** Makes its data folder, with a PostgreSQL that is initialised, which takes the launcher seconds; resolves to its path. */
  prepare(): Promise<string>
  remove(): Promise<void>
}

/** Builds a checkout. */
export async function aCheckout(): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'recto-launcher-test-'))
  const apps = join(folder, 'dist/apps')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await run(process.execPath, [join(root, 'scripts/build.mjs'), apps, 'launcher'])
  for (const { name } of processes) {
    await mkdir(join(apps, name), { recursive: true })
    await cp(join(import.meta.dirname, 'stand-in.mjs'), join(apps, name, 'main.js'))
  }
  const prepared = join(folder, 'prepared')
  await initialisePostgres(prepared)
  const dataDir = join(folder, '.data')
  return {
    folder,
    prepare: async () => {
      // Keeps owners: PostgreSQL does not run as root.
      await run('cp', ['-a', prepared, dataDir])
      return dataDir
    },
    remove: () => removeFolder(folder),
  }
}

async function initialisePostgres(dataDir: string): Promise<void> {
  const password = 'a password'
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), password })
  await postgres.stop()
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ postgres: password }), { mode: 0o600 })
}

/** A launcher in a child process. */
export interface LauncherProcess {
  port: number
  pid: number
  child: ChildProcess
  /** Standard output and standard error so far. */
  output(): string
  /** Resolves with the output once it is ready; rejects with the output when it exits earlier. */
  ready: Promise<string>
  exited: Promise<number | null>
}

/** The user to run as, whether to start it below a shell, as npm does, and a command. */
export interface LaunchOptions {
  command?: string
  uid?: number
  shell?: boolean
}

export async function launch(
  checkout: string,
  env: Record<string, string> = {},
  { shell = false, uid, command }: LaunchOptions = {},
): Promise<LauncherProcess> {
  const port = Number(env.PORT ?? (await freePort()))
  const program = [process.execPath, 'dist/apps/launcher/main.js', ...(command ? [command] : [])]
  const [file = '', ...args] = shell ? ['/bin/sh', '-c', `"${program.join('" "')}"; true`] : program
  const child = spawn(file, args, {
    cwd: checkout,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', PORT: String(port), READER_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(uid !== undefined && { uid, gid: uid }),
  })
  let text = ''
  const exited = new Promise<number | null>(resolve => child.once('close', resolve))
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        text += chunk
        if (text.includes('Recto is ready')) resolve(text)
      })
    }
    void exited.then(code => reject(new Error(`The launcher ended with ${code}:\n${text}`)))
  })
  ready.catch(() => {})
  return { port, pid: child.pid ?? 0, child, output: () => text, ready, exited }
}

/** The child processes recorded by the launcher, by name. */
export async function childrenOf(dataDir: string): Promise<Record<string, { pid: number; identity: string }>> {
  return JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')).children
}

/** The pid of a process started by the launcher of a data folder. */
export async function childPid(dataDir: string, name: string): Promise<number> {
  return usablePid((await childrenOf(dataDir))[name]?.pid)
}

/** The pid of a data folder's PostgreSQL or nats-server. */
export async function serverPid(dataDir: string, server: 'postgres' | 'nats'): Promise<number> {
  const file = server === 'postgres' ? 'postgres/cluster/postmaster.pid' : 'nats/nats.pid'
  return usablePid(Number((await readFile(join(dataDir, file), 'utf8')).split('\n')[0]))
}

// A signal to pid 0 would reach the whole process group of the test run.
function usablePid(pid: number | undefined): number {
  if (pid === undefined || !(pid > 1)) throw new Error(`${pid} is the pid of no process`)
  return pid
}

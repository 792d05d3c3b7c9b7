import { once } from 'node:events'
import { join, relative } from 'node:path'
import { Failure } from '@recto/operation'
import { readConfig, type Config } from './config.ts'
import { processes } from './processes.ts'
import { tokenFile } from './secrets.ts'
import { Stack, type Started } from './stack.ts'

// The bundle of this file is dist/apps/launcher/main.js.
const appsFolder = join(import.meta.dirname, '..')
const cacheDir = join(appsFolder, '../../node_modules/.cache/recto')

const say = (line: string) => void process.stdout.write(`${line}\n`)

function readyLine({ address, token }: Started, { dataDir }: Config): string {
  const path = tokenFile(dataDir)
  const file = path.startsWith(join(process.cwd(), '/')) ? relative('', path) : path
  const origins = {
    made: `the administrator's token is ${token.value} (shown once, kept in ${file})`,
    kept: `the administrator's token is kept in ${file}`,
    given: "the administrator's token is the ADMIN_TOKEN of the first start",
    forgotten: "the administrator's token is the ADMIN_TOKEN of the first start",
  }
  return `Recto is ready at ${address}/v1 and ${origins[token.origin]}.`
}

/** A signal to npm alone ends its shell, which tells us nothing but by its end. */
function onParentGone(act: () => void): void {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && act(), 1_000).unref()
}

function explain(error: unknown): void {
  process.exitCode = 1
  process.stderr.write(`${explanationOf(error)}\n`)
}

function explanationOf(error: unknown): string {
  if (error instanceof Failure) return error.message
  if (!(error instanceof Error)) return String(error)
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM')
    return `${path} belongs to another user: start as that user, or give the data folder to this one.`
  return error.stack ?? error.message
}

async function main(): Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  // A signal to the whole group of npm arrives more than once; the terminal may be gone while we stop.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort())
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const config = readConfig()
  if (config.isUnderNpm) onParentGone(() => stopping.abort())
  const stack = new Stack({ config, table: processes, appsFolder, cacheDir, say, signal })
  const started = await stack.start().catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  if (!started) return
  say(readyLine(started, config))
  if (!signal.aborted) await once(signal, 'abort')
  say('Stopping')
  await stack.stop()
}

await main().catch(explain)

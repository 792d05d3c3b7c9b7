import { once } from 'node:events'
import { join, relative } from 'node:path'
import { Failure } from '@recto/operation'
import { releaseStartupMemory } from '@recto/service'
import { runAdminCommand } from './admin-commands.ts'
import { readConfig, type Config } from './config.ts'
import {
  type ContainerOptions,
  prepareContainerDatabases,
  rotateContainerSecret,
  writeContainerFiles,
} from './containers.ts'
import { parseRotation } from './rotation.rules.ts'
import { processes } from './processes.ts'
import { tokenFile } from './secrets.ts'
import { Stack, type Started } from './stack.ts'

// The bundle of this file is dist/apps/launcher/main.js.
const appsFolder = join(import.meta.dirname, '..')
const cacheDir = join(appsFolder, '../../node_modules/.cache/recto')

const print = (line: string) => void process.stdout.write(`${line}\n`)

function readyLine({ address, token }: Started, { dataDir }: Config): string {
  const path = tokenFile(dataDir)
  const file = path.startsWith(join(process.cwd(), '/')) ? relative('', path) : path
  const origins = {
    generated: `the administrator's token is ${token.value} (shown once, kept in ${file})`,
    stored: `the administrator's token is kept in ${file}`,
    given: "the administrator's token is the ADMIN_TOKEN of the first start",
    unknown: "the administrator's token is the ADMIN_TOKEN of the first start",
  }
  return `Recto is ready at ${address}/v1 and ${origins[token.origin]}.`
}

/** Calls back when the parent process ends: npm does not pass a signal on to the process below its shell. */
function onParentExit(callback: () => void): void {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && callback(), 1_000).unref()
}

function printError(error: unknown): void {
  process.exitCode = 1
  process.stderr.write(`${errorText(error)}\n`)
}

function errorText(error: unknown): string {
  if (error instanceof Failure) return error.message
  if (!(error instanceof Error)) return String(error)
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM')
    return `${path} belongs to another user: start as that user, or give the data folder to this one.`
  return error.stack ?? error.message
}

/** The commands of the launcher besides starting an installation, by its first argument; in containers an engine starts the processes. */
const commands: Record<string, (args: string[]) => Promise<void>> = {
  'container-files': args => writeContainerFiles(containerOptions(args), processes, readConfig().adminToken),
  'container-rotate': ([folder = '', ...args]) => rotateContainerSecret({ folder }, parseRotation(args), processes),
  'container-databases': args => prepareContainerDatabases(containerOptions(args), processes),
  admin: args => runAdminCommand(args, { config: readConfig(), table: processes, appsFolder, print }),
}

function containerOptions([folder = '', postgres]: string[]): ContainerOptions {
  return { folder, postgres }
}

async function main(): Promise<void> {
  const [command = '', ...args] = process.argv.slice(2)
  if (Object.hasOwn(commands, command)) return commands[command]?.(args)
  if (command !== '')
    throw new Failure('invalid_request', `There is no command "${command}": ${Object.keys(commands).join(', ')}.`)
  const stopping = new AbortController()
  const { signal } = stopping
  // A signal to the process group of npm arrives more than once; the terminal may close while the processes stop.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort())
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const config = readConfig()
  if (config.isUnderNpm) onParentExit(() => stopping.abort())
  const table = processes.filter(({ portSetting }) => portSetting !== 'READER_PORT' || config.readerPort !== undefined)
  const stack = new Stack({ config, table, appsFolder, cacheDir, print, signal })
  const started = await stack.start().catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  if (!started) return
  if (started.reader !== undefined) print(`Published sites are at ${started.reader}/<basename>/.`)
  print(readyLine(started, config))
  releaseStartupMemory()
  if (!signal.aborted) await once(signal, 'abort')
  print('Stopping')
  await stack.stop()
}

export const ended = main().catch(printError)

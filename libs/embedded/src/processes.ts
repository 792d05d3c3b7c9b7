import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const pollInterval = 15

/** The exit of a process. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** Identifies a process across reuse of its pid (boot id and start time); undefined when no process, or only a zombie, has the pid. */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return (await ps(pid, 'lstart=')) || undefined
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The second field is a name that may hold blanks and parentheses; the state follows it, the start time is field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  return `${boot.trim()}:${fields[19]}`
}

/** The command line of a running process, joined with blanks; empty when there is none. */
export async function commandLine(pid: number): Promise<string> {
  if ((await processIdentity(pid)) === undefined) return ''
  if (process.platform !== 'linux') return ps(pid, 'command=')
  const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return raw.split('\0').join(' ').trim()
}

async function ps(pid: number, column: string): Promise<string> {
  const { stdout } = await run('ps', ['-o', column, '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.trim()
}

/** Ends any process, a child or not: `signal` first, SIGKILL after `patience` milliseconds. Resolves when it is gone. */
export async function stopProcess(
  pid: number,
  { signal = 'SIGTERM', patience = 10_000 }: { signal?: NodeJS.Signals; patience?: number } = {},
): Promise<void> {
  const identity = await processIdentity(pid)
  if (identity === undefined) return
  send(pid, signal)
  const isGone = async () => (await processIdentity(pid)) !== identity
  if (await pollUntil(isGone, patience)) return
  send(pid, 'SIGKILL')
  await pollUntil(isGone, 5_000)
}

async function pollUntil(check: () => Promise<boolean>, patience: number): Promise<boolean> {
  for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(pollInterval)) {
    if (await check()) return true
  }
  return check()
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already exited.
  }
}

/** A command to spawn, with the user and group to run as. */
export interface Command {
  file: string
  args: string[]
  uid?: number | undefined
  gid?: number | undefined
}

/** A spawned server, with its exit as a promise and its last 20 lines of output for error messages. */
export interface ServerProcess {
  pid: number
  exited: Promise<Exit>
  lastLines(): string
  hasExited(): boolean
}

/**
 * Starts a server in a process group of its own, so that Ctrl-C in the terminal reaches the launcher only,
 * and passes each line it prints to `log`. Throws the errors of `spawn` (ENOENT, EACCES).
 */
export async function spawnServer(command: Command, log: (line: string) => void = () => {}): Promise<ServerProcess> {
  const { file, args, uid, gid } = command
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    cwd: '/',
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  })
  const last: string[] = []
  const take = (line: string) => {
    last.push(line)
    if (last.length > 20) last.shift()
    log(line)
  }
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', take)
  const exited = exitOf(child)
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  return {
    pid: child.pid ?? 0,
    exited,
    lastLines: () => last.join('\n'),
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
  }
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise(resolve => child.once('close', (code, signal) => resolve({ code, signal })))
}

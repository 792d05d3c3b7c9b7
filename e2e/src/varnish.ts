import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually, removeFolder } from '@recto/testing'
import { cleanEnvironment } from './config.ts'
import { ask } from './reader-sites.ts'

const program = ['/usr/sbin/varnishd', '/usr/local/sbin/varnishd', '/opt/homebrew/sbin/varnishd'].find(existsSync)
const shippedRules = fileURLToPath(new URL('../../docs/operations/edges/recto.vcl', import.meta.url))

/** Whether this machine has a Varnish; says so where it has none. */
export function findVarnish(): boolean {
  if (program === undefined) console.warn('There is no varnishd (Debian: varnish): no reader was read through an edge')
  return program !== undefined
}

/** A server of its own on this machine. */
interface Running {
  url: string
  stop(): Promise<void>
}

/** Starts a real Varnish with the rules that operators are given; it takes a `BAN` by the token. */
export async function aVarnish(options: { port: number; backendPort: number; token: string }): Promise<Running> {
  const { port, backendPort, token } = options
  const folder = await mkdtemp(join(tmpdir(), 'recto-varnish-'))
  const file = join(folder, 'default.vcl')
  const backend = `backend default { .host = "127.0.0.1"; .port = "${backendPort}"; }`
  await writeFile(file, `vcl 4.1;\n${backend}\ninclude "${shippedRules}";\n`)
  const place = ['-F', '-n', join(folder, 'run'), '-a', `127.0.0.1:${port}`]
  const server = spawn(program ?? '', [...place, '-f', file, '-s', 'malloc,64m', '-j', 'none'], {
    env: { ...cleanEnvironment(), RECTO_EDGE_TOKEN: token },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const output: string[] = []
  server.stderr.on('data', chunk => output.push(String(chunk)))
  const url = `http://127.0.0.1:${port}`
  const ended = once(server, 'exit')
  const stop = async () => {
    server.kill('SIGTERM')
    await ended
    await removeFolder(folder)
  }
  await eventually(() => {
    if (server.exitCode !== null) throw new Error(`varnishd ended: ${output.join('')}`)
    return ask(url)
  })
  return { url, stop }
}

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Below the ephemeral ports of Linux and macOS: an outgoing connection could take the port before the server does.
const lowest = 15_000
const highest = 32_000
const attempts = 100
/** Milliseconds of a period. A port that was found is not found again in the same one, nor in the next, by any process of this user. */
const period = 300_000
const reservations = join(tmpdir(), `recto-ports-${process.getuid?.() ?? 'user'}`)
let tidied: Promise<void> | undefined

/** Finds a TCP port that is free on 127.0.0.1, outside the ephemeral range; not one that a process of this user found in the last five minutes, since its server may not listen yet. */
export async function freePort(): Promise<number> {
  tidied ??= tidy()
  await tidied
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = lowest + randomInt(highest - lowest)
    if ((await isPortFree(port)) && (await reserve(port))) return port
  }
  throw new Error(`No port from ${lowest} to ${highest} is free`)
}

const currentPeriod = () => Math.floor(Date.now() / period)

/** Reserves a port by a file for this period; false when another process has it. Where no file can be written, ports are not reserved. */
async function reserve(port: number): Promise<boolean> {
  const now = currentPeriod()
  if (existsSync(join(reservations, `${now - 1}-${port}`))) return false
  return writeFile(join(reservations, `${now}-${port}`), '', { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'EEXIST',
  )
}

/** Makes the folder of reservations, and deletes those of earlier periods. */
async function tidy(): Promise<void> {
  await mkdir(reservations, { recursive: true, mode: 0o700 }).catch(() => undefined)
  const files = await readdir(reservations).catch(() => [])
  const old = files.filter(file => Number.parseInt(file, 10) < currentPeriod() - 1)
  await Promise.all(old.map(file => rm(join(reservations, file), { force: true }).catch(() => undefined)))
}

/** Checks that nothing listens on a port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const free = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (free) {
    server.close()
    await once(server, 'close')
  }
  return free
}

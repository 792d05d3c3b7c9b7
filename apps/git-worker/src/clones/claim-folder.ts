import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Every system allows socket paths of this length. */
const maxSocketPathBytes = 100

/**
 * Creates a folder and claims it for this process, until it is released or the process ends, however it does. Throws when another
 * process has it: a socket in the folder shows whether its owner lives, which a file with a process id cannot.
 */
export async function claimFolder(folder: string): Promise<{ release(): Promise<void> }> {
  await mkdir(folder, { recursive: true })
  const path = socketPath(folder)
  const server = (await listen(path)) ?? (await takeOver(folder, path))
  server.unref()
  return {
    release: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

function socketPath(folder: string): string {
  const path = join(resolve(folder), 'owner.sock')
  if (Buffer.byteLength(path) <= maxSocketPathBytes) return path
  return join(tmpdir(), `recto-${createHash('sha256').update(path).digest('hex').slice(0, 32)}.sock`)
}

async function takeOver(folder: string, path: string): Promise<Server> {
  const server = (await isAnswered(path)) ? undefined : await rm(path, { force: true }).then(() => listen(path))
  if (server) return server
  throw new Error(`Another process uses the folder ${folder}: each git-worker needs a CACHE_DIR of its own`)
}

/** Listens on a socket; undefined when it exists already. */
async function listen(path: string): Promise<Server | undefined> {
  const server = createServer(socket => socket.destroy())
  server.listen(path)
  try {
    await once(server, 'listening')
    return server
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw error
  }
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

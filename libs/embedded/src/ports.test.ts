import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, expect, it } from '@jest/globals'
import { freePort, isPortFree } from './ports.ts'

const run = promisify(execFile)
const folders: string[] = []
afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true }))))

/** The module as JavaScript, for processes of their own. */
async function bundledPorts(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recto-ports-test-'))
  folders.push(folder)
  const outfile = join(folder, 'ports.mjs')
  await build({ entryPoints: [join(import.meta.dirname, 'ports.ts')], outfile, format: 'esm', platform: 'node' })
  return outfile
}

it('ports that are looked for at the same time differ, and are free', async () => {
  const ports = await Promise.all(Array.from({ length: 40 }, freePort))
  expect(new Set(ports).size).toBe(40)
  expect(await Promise.all(ports.map(isPortFree))).not.toContain(false)
})

it('processes that look at the same time find different ports', async () => {
  const program = `import { freePort } from ${JSON.stringify(await bundledPorts())}
    const ports = []
    for (let at = 0; at < 200; at += 1) ports.push(await freePort())
    console.log(JSON.stringify(ports))`
  const find = () => run(process.execPath, ['--input-type=module', '--eval', program])
  const outputs = await Promise.all([find(), find(), find()])
  const ports = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as number[])
  expect(ports).toHaveLength(600)
  expect(new Set(ports).size).toBe(600)
})

it('a port is not free while a server listens on it', async () => {
  const port = await freePort()
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  expect(await isPortFree(port)).toBe(false)
  server.close()
  await once(server, 'close')
  expect(await isPortFree(port)).toBe(true)
})

import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, it } from '@jest/globals'
import { freePort, isPortFree } from './ports.ts'

it('ports that are looked for at the same time differ, and are free', async () => {
  const ports = await Promise.all(Array.from({ length: 40 }, freePort))
  expect(new Set(ports).size).toBe(40)
  expect(await Promise.all(ports.map(isPortFree))).not.toContain(false)
})

it('a process finds ports of its own share only', async () => {
  const ports = await Promise.all(Array.from({ length: 10 }, freePort))
  expect(new Set(ports.map(port => port % 64)).size).toBe(1)
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

import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { Failure } from '@recto/operation'
import { aGitServer, aRepository, eventually } from '@recto/testing'
import { afterEach, expect, it } from '@jest/globals'
import { aGitSetup, type GitSetup } from './test/git-setup.ts'

const open: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop()
})

const auth = { username: 'reader', password: 'the-git-secret' }

/** The service, which takes its jobs, and a git server. */
async function aStack(environment: Record<string, string> = {}) {
  const repository = await aRepository({ files: { 'README.md': '# Home' } })
  const server = await aGitServer({ repositories: { docs: repository.path }, auth })
  const setup = await aGitSetup({ takesJobs: true, environment: { GIT_TIMEOUT: '20000', ...environment } })
  open.push(
    () => repository.remove(),
    () => server.stop(),
    () => setup.stop(),
  )
  const url = server.url('docs').replace('://', `://${auth.username}:${auth.password}@`)
  return { setup, server, url }
}

/** Asks for an import into a space of its own; resolves to what the API says of it. */
async function ask(setup: GitSetup, url: string, organizationId = 'one') {
  const spaceId = await setup.content.aSpace(organizationId)
  const client = setup.as('create', organizationId)
  await client.importGitRepository({ params: { spaceId }, body: { url, ref: 'refs/heads/main' } })
  return async () => (await client.listGitOperations({ params: { spaceId } })).items[0]
}

/** A server that accepts connections and never answers. */
async function aHangingServer() {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => undefined))
    // On a busy machine a job may be given up and begun again.
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`, connections: () => sockets.size }
}

const success = async (see: Awaited<ReturnType<typeof ask>>) =>
  eventually(async () => expect(await see()).toMatchObject({ state: 'success', attempts: 1 }))

it('The worker handles a job from the queue and is ready for the next', async () => {
  const { setup, url } = await aStack()
  await success(await ask(setup, url))
  await success(await ask(setup, url))
  expect(await setup.service.ready()).toBe(true)
  expect(JSON.stringify(setup.content.applied)).not.toContain('the-git-secret')
})

it('A worker that stops returns its job to the queue, and the next worker completes it', async () => {
  const { setup, server, url } = await aStack()
  server.pause()
  const see = await ask(setup, url)
  await eventually(() => expect(server.held()).toBe(1))
  await setup.service.stop()
  server.resume()
  const next = await setup.startAgain()
  open.push(() => next.stop())
  await eventually(async () => expect(await see()).toMatchObject({ state: 'success', attempts: 2 }))
})

it('An import is applied once, though the call is repeated until content answers', async () => {
  const { setup, url } = await aStack()
  const lost = { answers: 2 }
  setup.content.beforeReply = () => {
    if (lost.answers-- > 0) throw new Failure('unavailable', 'content is killed')
  }
  const see = await ask(setup, url)
  await eventually(async () => expect(await see()).toMatchObject({ state: 'success' }))
  expect(new Set(setup.content.applied.map(({ operationId }) => operationId)).size).toBe(1)
})

it('A worker takes the jobs of others while an organization has its share, and returns those of it', async () => {
  const { setup, url } = await aStack({ GIT_TIMEOUT: '600000' })
  const hanging = await aHangingServer()
  for (let at = 0; at < 40; at++) await ask(setup, hanging.url)
  await success(await ask(setup, url, 'two'))
  await eventually(() => expect(hanging.connections()).toBe(2))
})

it('Each of several workers is shared, and has a folder of its own', async () => {
  const { setup, url } = await aStack({ GIT_TIMEOUT: '600000' })
  const hanging = await aHangingServer()
  const second = await setup.startAgain()
  open.push(() => second.stop())
  for (let at = 0; at < 12; at++) await ask(setup, hanging.url)
  await eventually(() => expect(hanging.connections()).toBe(4))
  const others = [await ask(setup, url, 'two'), await ask(setup, url, 'three'), await ask(setup, url, 'two')]
  for (const see of others) await success(see)
  expect(hanging.connections()).toBe(4)
})

import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { aGitServer, aRepository, eventually, type GitServer, type TestRepository } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { removeData, startStack, type Stack } from './stack.ts'
import { aSpace, importRepository, request, waitForEnd, type GitOperation } from './walk.ts'

let stack: Stack
let git: GitServer
let repository: TestRepository
let hanging: Server
const waiting = new Set<Socket>()
/** Whether the hanging server answers, at last. */
let answers = false

const notFound = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'
const answer = (socket: Socket) => {
  waiting.delete(socket)
  socket.end(notFound)
}

beforeAll(async () => {
  repository = await aRepository({ files: { 'README.md': '# Quick\n' } })
  git = await aGitServer({ repositories: { quick: repository.path } })
  hanging = createServer(socket => {
    socket.on('error', () => undefined).on('close', () => waiting.delete(socket))
    if (answers) answer(socket)
    else waiting.add(socket)
  }).listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  stack = await startStack({ env: { RATE_LIMIT: '100000', GIT_SILENCE: '120000' } })
})

afterAll(async () => {
  await stack?.stop()
  for (const socket of waiting) socket.destroy()
  hanging.close()
  await git.stop()
  await Promise.all([removeData(stack.dataDir), repository.remove()])
})

const operationOf = async (spaceId: string) => {
  const { items } = await request<{ items: GitOperation[] }>(stack, 'GET', `/spaces/${spaceId}/git/operations?limit=1`)
  return items[0]
}

it('an organization whose git servers never answer delays nobody else, and all of its imports get their turn', async () => {
  const address = hanging.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { organizationId, spaceId } = await aSpace(stack)
  const spaces = [spaceId]
  for (let at = 1; at < 8; at++)
    spaces.push((await stack.client.orgs.createSpace(organizationId, { title: `Space ${at}` } as never)).data.id)
  for (const [at, id] of spaces.entries())
    await stack.client.spaces.importGitRepository(id, {
      url: `http://127.0.0.1:${port}/${at}.git`,
      ref: 'refs/heads/main',
    })
  await eventually(() => expect(waiting.size).toBe(2))

  const other = await aSpace(stack)
  expect(await importRepository(stack, other.spaceId, git.url('quick'))).toMatchObject({ state: 'success' })
  const meanwhile = await Promise.all(spaces.map(operationOf))
  expect(meanwhile.map(operation => operation?.state).toSorted()).toEqual([
    ...Array.from({ length: 6 }, () => 'queued'),
    'running',
    'running',
  ])
  expect(waiting.size).toBe(2)

  answers = true
  for (const socket of waiting) answer(socket)
  for (const id of spaces)
    expect(await waitForEnd(stack, id, (await operationOf(id))?.id ?? '')).toMatchObject({
      state: 'failure',
      attempts: 1,
      error: { code: 'repository_not_found' },
    })
})

import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { aGitServer, aRepository, type GitServer, type TestRepository } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { manual } from './fixtures/manual.ts'
import { aLoadBalancer, type LoadBalancer } from './load-balancer.ts'
import { anOrganization, sendOk, type Person } from './people.ts'
import { aReplica, processNames, replicaOfStack, type Replica } from './replicas.ts'
import { installationAt, removeData, startStack, type Stack } from './stack.ts'
import { request, waitForEnd, type GitOperation } from './walk.ts'

/** Milliseconds of load, at least; all restarts are within it. */
const duration = 60_000
/** The grace is that of k8s/base/gateway.yaml: longer than a balancer's poll, also on a slow machine. */
const settings = { RATE_LIMIT: '10000000', REFUSAL_LIMIT: '100000', SHUTDOWN_GRACE: '5000' }

let stack: Stack
let replicas: Replica[]
let balancer: LoadBalancer
let git: GitServer
let repository: TestRepository
let admin: Person
let organizationId: string

beforeAll(async () => {
  repository = await aRepository({ files: manual })
  git = await aGitServer({ repositories: { manual: repository.path } })
  stack = await startStack({ env: settings })
  const second = await Promise.all(processNames.map(name => aReplica(stack, name, settings)))
  replicas = processNames.flatMap((name, index) => [replicaOfStack(stack, name), second[index] as Replica])
  balancer = await aLoadBalancer(replicas.filter(({ name }) => name === 'gateway').map(({ url }) => url))
  // Nobody asks a gateway past the balancer: each of them is away for a while.
  const organization = await anOrganization(installationAt({ ...stack, url: balancer.url }))
  admin = organization.admin
  organizationId = organization.id
})

afterAll(async () => {
  await balancer.stop()
  await Promise.all(replicas.map(replica => replica.stop()))
  await stack.stop()
  await git.stop()
  await Promise.all([removeData(stack.dataDir), repository.remove()])
})

interface Sending {
  method: string
  path: string
  body?: object
  token?: string
}

/** A client with one connection that it keeps open, and that repeats nothing. */
function aClient(): { send(sending: Sending): Promise<{ status: number; text: string }>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = async ({ method, path, body, token = admin.token }: Sending) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const sent = httpRequest(`${balancer.url}/v1${path}`, { method, agent, headers })
    sent.end(body && JSON.stringify(body))
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of reply.setEncoding('utf8')) text += String(chunk)
    return { status: reply.statusCode ?? 0, text }
  }
  return { send, close: () => agent.destroy() }
}

/** The answers that the clients got. */
interface Load {
  answered: number
  faults: string[]
  isOver: boolean
}

/** Sends requests one after another until the load is over; `next` makes them, and hears of each success. */
async function keepSending(load: Load, next: () => Sending, done: (text: string) => void = () => {}): Promise<void> {
  const client = aClient()
  while (!load.isOver) {
    const sending = next()
    const { status, text } = await client.send(sending).catch((error: Error) => ({ status: 0, text: String(error) }))
    if (status >= 200 && status < 300) {
      load.answered += 1
      done(text)
    } else load.faults.push(`${sending.method} ${sending.path}: ${status} ${text}`)
  }
  client.close()
}

const insertion = (title: string) => ({
  changes: [{ operation: 'insert_page', title, document: { markdown: `# ${title}\n` } }],
})

async function aSpaceWithPage(): Promise<string> {
  const { id } = (await admin.client.orgs.createSpace(organizationId, { title: 'Manual' } as never)).data
  await sendOk(balancer, admin, { method: 'POST', path: `/spaces/${id}/content`, body: insertion('Start') })
  return id
}

/** Adds pages to a space of its own; resolves to the titles of those that were acknowledged. */
async function write(load: Load, spaceId: string): Promise<string[]> {
  const titles: string[] = []
  let count = 0
  const next = () => ({ method: 'POST', path: `/spaces/${spaceId}/content`, body: insertion(`Page ${++count}`) })
  await keepSending(load, next, () => titles.push(`Page ${count}`))
  return titles
}

async function pagesOf(spaceId: string): Promise<string[]> {
  const { pages } = await request<{ pages: { title: string }[] }>(admin, 'GET', `/spaces/${spaceId}/content/pages`)
  return pages.map(({ title }) => title).filter(title => title.startsWith('Page '))
}

/** Imports a repository into a space; resolves to the operation when it has ended. */
async function startImport(spaceId: string): Promise<GitOperation> {
  await admin.client.spaces.importGitRepository(spaceId, { url: git.url('manual'), ref: 'refs/heads/main' })
  const { items } = await request<{ items: GitOperation[] }>(admin, 'GET', `/spaces/${spaceId}/git/operations?limit=1`)
  return waitForEnd(admin, spaceId, items[0]?.id ?? '')
}

it('answers every request while each process of two replicas is restarted', async () => {
  const spaces = await Promise.all([1, 2, 3].map(aSpaceWithPage))
  const [first = '', ...editedSpaces] = spaces
  const site = (await admin.client.orgs.createSite(organizationId, { title: 'Docs', spaces: [first] })).data
  const published = await admin.client.orgs.publishSite(organizationId, site.id)
  const url = 'urls' in published.data ? published.data.urls.published : ''
  const load: Load = { answered: 0, faults: [], isOver: false }
  const get = (path: string) => keepSending(load, () => ({ method: 'GET', path }))
  const lookUp = { method: 'POST', path: '/urls/published', body: { url }, token: '' }
  const reading = [
    get(`/spaces/${first}`),
    get(`/spaces/${first}/content/pages`),
    get(`/orgs/${organizationId}/members`),
    get(`/orgs/${organizationId}/sites/${site.id}`),
    get(`/orgs/${organizationId}/openapi`),
    keepSending(load, () => lookUp),
  ]
  const writing = editedSpaces.map(spaceId => write(load, spaceId))

  const began = Date.now()
  const imports: Promise<GitOperation>[] = []
  const restart = async (names: string[]) => {
    for (const replica of replicas.filter(({ name }) => names.includes(name))) {
      if (replica.name === 'git-worker') imports.push(aSpaceWithPage().then(startImport))
      await replica.restart()
    }
  }
  // As in a cluster, where each Deployment rolls by itself; the two of one kind are never away together.
  await Promise.all([
    restart(['identity', 'content', 'gateway']),
    restart(['publishing', 'openapi-specs', 'git-worker', 'events']),
  ])
  const restarted = Date.now() - began
  await sleep(duration - restarted)
  load.isOver = true
  const acknowledged = await Promise.all(writing)
  await Promise.all(reading)
  console.warn(
    `${load.answered} requests, ${load.faults.length} failed, ${replicas.length} restarts in ${restarted} ms, ` +
      `${acknowledged.flat().length} pages written`,
  )
  expect([...new Set(load.faults)].slice(0, 20)).toEqual([])
  for (const [index, titles] of acknowledged.entries())
    expect((await pagesOf(editedSpaces[index] ?? '')).toSorted()).toEqual(titles.toSorted())
  for (const operation of await Promise.all(imports)) expect(operation).toMatchObject({ state: 'success' })
})

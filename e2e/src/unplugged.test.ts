import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually, freePort, removeFolder } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { unpluggedSeconds } from './config.ts'
import { sendOk } from './people.ts'
import { aReaderProcess, type ReaderProcess } from './reader-process.ts'
import { aPublishedSite, aSpace, ask, readerSites, type Answer, type ReaderSites } from './reader-sites.ts'
import type { Stack } from './stack.ts'

/** Visitors that read at the same time. */
const visitors = 6
/** A PNG of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='
const pictures = [
  { operation: 'insert_files', files: [{ name: 'dot.png', ref: 'dot', base64: dot }] },
  { operation: 'insert_page', title: 'Picture', document: { markdown: '# Picture\n\n![A dot](ref:dot)\n' } },
]
const allButReader = [
  'gateway',
  'content',
  'publishing',
  'identity',
  'openapi-specs',
  'git-worker',
  'events',
  'nats',
  'postgres',
]

let sites: ReaderSites
let folder: string
/** The reader that is left alone, and one that keeps nothing, which says how everything is. */
let reader: ReaderProcess
let reference: ReaderProcess

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recto-unplugged-'))
  const port = await freePort()
  const notified = { READER_SECRET: 'secret of the reader', READER_URL: `http://127.0.0.1:${port}` }
  sites = await readerSites({ READER_PORT: 'off', VISITOR_RATE_LIMIT: '1000000', ...notified })
  await sendOk(sites.stack, sites.admin, {
    method: 'POST',
    path: `/spaces/${sites.docs.manual}/content`,
    body: { changes: pictures },
  })
  const settings = { READER_KEPT_FOLDER: folder, READER_SECRET: notified.READER_SECRET }
  reader = await aReaderProcess(sites.stack, { port, settings })
  reference = await aReaderProcess(sites.stack, { port: await freePort() })
})

afterAll(async () => {
  await reader.stop()
  await reference.stop()
  await sites.stop()
  await removeFolder(folder)
})

/** Asks a reader as a browser of the same host does, so that answers of two readers can be compared. */
const get = (from: ReaderProcess, path: string) => ask(`${from.url}${path}`, { headers: { host: 'localhost' } })
const statusOf = async (path: string) => (await get(reader, path)).status

/** Ends all processes of the installation, which nothing starts again until it is plugged in. */
function unplug(): void {
  const { launcher } = sites.stack as Stack
  // A launcher that does not run starts nothing again.
  launcher.kill('SIGSTOP')
  for (const name of allButReader) process.kill(sites.stack.pidOf(name), 'SIGKILL')
}

const plugIn = () => (sites.stack as Stack).launcher.kill('SIGCONT')

/** The content of an answer, without what differs between two answers of the same. */
const contentOf = ({ status, text, headers: { location } }: Answer) =>
  JSON.stringify([status, location, text.replaceAll(/nonce(?:="|-)[\w+/=]+"?/g, '')])

/** The addresses of a site that lead on from its beginning, and what each shows. */
async function everythingOf(root: string): Promise<Map<string, string>> {
  const lists = [
    'llms.txt',
    'llms-full.txt',
    'sitemap.xml',
    'sitemap-pages.xml',
    'robots.txt',
    'rss.xml',
    '~/changes',
    'hidden-page',
  ]
  const variants = [
    'old',
    'OLD/installation',
    'v/old/welcome',
    'api',
    'Api/overview',
    'api/llms.txt',
    'old/llms.txt',
    'old/rss.xml',
  ]
  const pending = [`${root}/`, root, ...[...lists, ...variants].map(path => `${root}/${path}`)]
  const contents = new Map<string, string>()
  const seen = new Set<string>()
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const answer = await get(reference, path)
    // An address that no page has is 503 meanwhile: it may have moved.
    if (answer.status < 400) contents.set(path, contentOf(answer))
    const isPage = answer.headers['content-type']?.startsWith('text/html') === true && answer.status === 200
    if (isPage) {
      const links = answer.text.matchAll(/(?:href|src)="(\/[^"#?]*)/g)
      pending.push(...[...links].map(([, link = '']) => link).filter(link => isOwn(link, root)))
      const [, markdown] = /<([^>]*)>; rel="alternate"/.exec(String(answer.headers.link)) ?? []
      if (markdown !== undefined) pending.push(markdown)
    }
  }
  return contents
}

/** Addresses of a site itself: its assets are of the reader, and its questions and searches are asked apart. */
function isOwn(link: string, root: string): boolean {
  return link.startsWith(`${root}/`) && !/\/~recto\/(?!files)|\/~gitbook\/|\/~\/|\.css$/.test(link)
}

/** Everything below the folder, as text. */
async function textOnDisk(): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files.filter(file => file.isFile()).map(file => readFile(join(file.parentPath, file.name), 'utf8'))
  return (await Promise.all(texts)).join('\n')
}

const sitesInState = (state: string, metrics: string) =>
  Number(new RegExp(`kept_sites\\{state="${state}",service="reader"\\} (\\d+)`).exec(metrics)?.[1])

interface Load {
  views: number
  fromDisk: number
  slowest: number
  failures: string[]
  stop(): Promise<void>
}

/** Visitors who open one address after another; each has to show what it showed before. */
function startLoad(contents: ReadonlyMap<string, string>, searches: readonly string[]): Load {
  let isOver = false
  const load: Load = { views: 0, fromDisk: 0, slowest: 0, failures: [], stop: async () => {} }
  const paths = [...contents.keys(), ...searches]
  const visit = async (path: string) => {
    const begun = performance.now()
    const answer = await get(reader, path)
    load.views += 1
    load.slowest = Math.max(load.slowest, performance.now() - begun)
    if (answer.headers['cache-status'] !== undefined) load.fromDisk += 1
    const expected = contents.get(path)
    const isRight =
      expected === undefined ? answer.status === 200 && /zebracorn/i.test(answer.text) : contentOf(answer) === expected
    if (!isRight) load.failures.push(`${path} ${answer.status} ${answer.text.slice(0, 300)}`)
  }
  const visitor = async (first: number) => {
    for (let at = first; !isOver; at += 1) await visit(paths[at % paths.length] ?? '')
  }
  const running = Promise.all(Array.from({ length: visitors }, (_, at) => visitor(at * 7)))
  load.stop = async () => {
    isOver = true
    await running
  }
  return load
}

it('With everything but the reader killed no page view fails, nothing that is closed opens, and later all is as ever', async () => {
  const root = `/${sites.docs.name}`
  const space = await aSpace(sites, 'Gone', [
    { operation: 'insert_page', title: 'Gone', document: { markdown: '# Gone\n' } },
  ])
  const gone = await aPublishedSite(sites, { title: 'Gone', spaces: [space] })
  const shared = `/${sites.shared.name}/${sites.shared.key}`
  const needles = /For friends|More for friends|For visitors|More for visitors|The beta is open/

  // One page of each is opened; all others are fetched ahead.
  expect(await Promise.all([`${root}/`, `/${gone.name}/`, shared].map(statusOf))).toEqual([200, 200, 200])
  expect(await statusOf(`/${sites.closed.name}/`)).toBe(307)
  const contents = await everythingOf(root)
  expect(contents.size).toBeGreaterThan(30)
  await eventually(async () => expect(sitesInState('whole', await reader.metrics())).toBe(2))

  const load = startLoad(contents, [`${root}/~recto/search?q=zebracorn`, `${root}/~recto/search.json?q=zebracorn`])
  await sites.admin.client.orgs.unpublishSite(sites.organizationId, gone.siteId)
  await eventually(async () => expect(await statusOf(`/${gone.name}/`)).toBe(404))
  unplug()
  const begun = performance.now()
  await eventually(async () =>
    expect((await get(reader, `${root}/`)).headers['cache-status']).toMatch(/^Recto; hit; ttl=-\d+/),
  )
  const noticed = performance.now() - begun
  while (performance.now() - begun < unpluggedSeconds * 1_000) {
    for (const path of [`/${gone.name}/`, shared, `/${sites.closed.name}/`])
      expect([path, await statusOf(path)]).toEqual([path, 503])
    await delay(100)
  }
  const metrics = await reader.metrics()
  expect(Number(/outage_seconds\{[^}]*\} ([\d.]+)/.exec(metrics)?.[1])).toBeGreaterThan(unpluggedSeconds / 2)
  expect(Number(/cache_requests_total\{cache="kept",result="hit"[^}]*\} (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(0)
  const text = await textOnDisk()
  expect(text).toContain('zebracorn')
  expect(text).not.toMatch(needles)

  plugIn()
  await eventually(async () => expect((await get(reader, `${root}/`)).headers['cache-status']).toBeUndefined())
  await load.stop()
  expect(load.failures).toEqual([])
  expect(load.fromDisk).toBeGreaterThan(0)
  const { views, fromDisk, slowest } = load
  process.stdout.write(
    `unplugged for ${unpluggedSeconds} s: ${JSON.stringify({ addresses: contents.size, views, fromDisk, failures: 0, slowest, noticed })}\n`,
  )

  const changes = [{ operation: 'insert_page', title: 'Afterwards', document: { markdown: '# Afterwards\n' } }]
  const write = { method: 'POST' as const, path: `/spaces/${sites.docs.manual}/content`, body: { changes } }
  await eventually(() => sendOk(sites.stack, sites.admin, write))
  await eventually(async () => expect(await statusOf(`${root}/afterwards`)).toBe(200))
  expect(await statusOf(`/${gone.name}/`)).toBe(404)
})

it('A reader that starts while everything else is away shows nothing, and everything once it is back', async () => {
  const root = `/${sites.docs.name}`
  await eventually(async () => expect(await statusOf(`${root}/`)).toBe(200))
  unplug()
  await reader.restart()
  const { status, headers } = await get(reader, `${root}/`)
  expect([status, headers['retry-after']]).toEqual([503, '5'])
  plugIn()
  await eventually(async () => expect(await statusOf(`${root}/`)).toBe(200))
})

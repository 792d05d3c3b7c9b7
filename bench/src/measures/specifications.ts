import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { aSpace } from '../harness/api.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { median, rounded } from '../harness/statistics.ts'

const rounds = 3
const readRounds = 60
const specs = 1_000
const bigText = () => readFileSync(createRequire(import.meta.url).resolve('@gitbook/api/spec/openapi.json'), 'utf8')
const smallText = (title: string) =>
  JSON.stringify({ openapi: '3.1.0', info: { title, version: '1' }, paths: { '/a': { get: { tags: ['a'] } } } })

interface Spec {
  processingState: string
  lastVersion?: string
  lastProcessErrorCode?: string
}

/** Seconds to process the published client's document, reading its content and a computed page against GET space, and polls of 1,000 specifications of one host. */
export const measureSpecifications: Measure = async bench => {
  const host = await aHost(bench)
  return [...(await processing(bench, host)), await polling(bench, host)]
}

/** A server of specifications that counts requests. */
interface Host {
  url: string
  now: number
  most: number
  requests: Set<string>
}

/** Answers `/big` with the published client's document, and every other path with a small one, after a few milliseconds. */
async function aHost({ cleanup }: Bench): Promise<Host> {
  const host: Host = { url: '', now: 0, most: 0, requests: new Set() }
  const big = bigText()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    host.now += 1
    host.most = Math.max(host.most, host.now)
    host.requests.add(path)
    response.on('close', () => void (host.now -= 1))
    setTimeout(() => response.end(path.startsWith('/big') ? big : smallText(path)), 5)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanup.add(() => new Promise<void>(resolve => void server.close(() => resolve())))
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return host
}

async function processing(bench: Bench, host: Host): Promise<Finding[]> {
  const seconds: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now()
    await create(bench, `big-${round}`, { url: `${host.url}/big-${round}.json` })
    await processed(bench, `big-${round}`)
    seconds.push((performance.now() - started) / 1_000)
  }
  const kilobytes = Math.round(Buffer.byteLength(bigText()) / 1_000)
  const finding: Finding = {
    what: `processing of the published client's document of ${kilobytes} kB, until it has a version`,
    value: rounded(median(seconds), 1),
    unit: 's',
    figures: { seconds },
    detail: seconds.map(value => `${value.toFixed(1)} s`).join(', '),
  }
  return [finding, ...(await reading(bench, 'big-0'))]
}

async function reading({ api, organization }: Bench, spec: string): Promise<Finding[]> {
  const dependencies = { spec: { ref: { kind: 'openapi', spec } } }
  const computedSource = { type: 'builtin:openapi', props: { models: true }, dependencies }
  const { id } = await api.post<{ id: string }>(`/orgs/${organization}/spaces`, { title: 'API', computedSource })
  const page = await eventually(async () => {
    const { pages } = await api.get<{ pages: { type: string; path?: string }[] }>(`/spaces/${id}/content/pages`)
    return pages[1]?.path
  })
  const space = `/spaces/${await aSpace(api, organization)}`
  const paths = {
    'content of a version': `/orgs/${organization}/openapi/${spec}/versions/latest/content`,
    'a computed page as a document': `/spaces/${id}/content/path/${page}?format=document`,
  }
  const findings: Finding[] = []
  for (const [what, path] of Object.entries(paths)) {
    const times = { read: [] as number[], space: [] as number[] }
    let size = 0
    for (let round = 0; round < readRounds; round += 1) {
      times.space.push((await api.time(space)).ms)
      const { ms, bytes } = await api.time(path)
      times.read.push(ms)
      size = bytes
    }
    const slow = median(times.read)
    const fast = median(times.space)
    findings.push({
      what: `GET ${what} of that document, against GET space`,
      value: rounded(slow / fast, 1),
      unit: 'x',
      figures: times,
      detail: `${slow.toFixed(1)} ms for ${Math.round(size / 1_000)} kB, against ${fast.toFixed(1)} ms`,
    })
  }
  return findings
}

/** Specifications of one host: they are all due at once when they are created. */
async function polling(bench: Bench, host: Host): Promise<Finding> {
  const { organization, api } = bench
  const before = host.requests.size
  host.most = 0
  const started = performance.now()
  for (let at = 0; at < specs; at += 1) await create(bench, `polled-${at}`, { url: `${host.url}/${at}.json` })
  const created = (performance.now() - started) / 1_000
  await eventually(async () => {
    const { items } = await api.get<{ items: Spec[] }>(`/orgs/${organization}/openapi?limit=1000`)
    return items.every(({ processingState }) => processingState === 'complete') ? true : undefined
  })
  const seconds = (performance.now() - started) / 1_000
  const requestCount = host.requests.size - before
  if (requestCount !== specs) throw new Error(`${requestCount} of ${specs} specifications were asked for`)
  return {
    what: `${specs} specifications of one host, until all are created and polled`,
    value: rounded(seconds, 1),
    unit: 's',
    figures: { seconds, created, most: host.most },
    detail: `${created.toFixed(1)} s until all were created; at most ${host.most} requests to the host at once`,
  }
}

async function create({ api, organization }: Bench, slug: string, source: object): Promise<void> {
  await api.post(`/orgs/${organization}/openapi`, { slug, source })
}

async function processed({ api, organization }: Bench, slug: string): Promise<void> {
  await eventually(async () => {
    const spec = await api.get<Spec>(`/orgs/${organization}/openapi/${slug}`)
    if (spec.lastProcessErrorCode !== undefined) throw new Error(`${slug}: ${spec.lastProcessErrorCode}`)
    return spec.processingState === 'complete' ? spec.lastVersion : undefined
  })
}

/** Asks until there is an answer, and returns it. */
async function eventually<T>(ask: () => Promise<T | undefined>, within = 300_000): Promise<T> {
  for (const until = Date.now() + within; Date.now() < until; await sleep(50)) {
    const answer = await ask()
    if (answer !== undefined) return answer
  }
  throw new Error(`There was no answer within ${within / 1_000} s`)
}

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@recto/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { aKeptReader, quickTimes, type KeptReader } from './test/a-kept-reader.ts'
import { aToyApi, type ToyApi } from './test/toy-api.ts'

let folder: string
let toy: ToyApi
let reader: KeptReader

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recto-kept-'))
  toy = await aToyApi()
  reader = await aKeptReader(toy, { folder })
})
afterEach(async () => {
  await reader.stop()
  await toy.stop().catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

const gauge = async (name: string) => {
  const { body } = await reader.metrics.text()
  return Number(new RegExp(`^${name.replaceAll(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(body)?.[1])
}
const wholeSites = 'kept_sites{state="whole",service="reader"}'
const untilKept = () => eventually(async () => expect(await gauge(wholeSites)).toBe(1))
const untilAway = () =>
  eventually(async () => expect((await reader.get('/')).headers['cache-status']).toMatch(/^Recto; hit/))
const untilBack = () => eventually(async () => expect((await reader.get('/')).headers['cache-status']).toBeUndefined())

/** Everything below the folder, as text. */
async function textOnDisk(): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files.filter(file => file.isFile()).map(file => readFile(join(file.parentPath, file.name), 'utf8'))
  return (await Promise.all(texts)).join('\n')
}

/** A site of which one page was opened, kept as a whole, and then without the API. */
async function unplugged(): Promise<void> {
  expect((await reader.get('/')).status).toBe(200)
  await untilKept()
  await toy.stop()
  await untilAway()
}

/** Addresses of the site, with the status and some text of their answers. */
const addresses: [path: string, status: number, text: string][] = [
  ['/', 200, 'Read this first.'],
  ['/guide/install', 200, 'Run the zebracorn.'],
  ['/guide/install.md', 200, 'Run the zebracorn.'],
  ['/old', 200, 'As it was.'],
  ['/old/home.md', 200, 'As it was.'],
  ['/llms.txt', 200, 'guide/install.md'],
  ['/llms-full.txt', 200, 'Run the zebracorn.'],
  ['/~recto/files/f/picture.png', 200, 'picture'],
  ['/old/~recto/files/f/picture.png', 200, 'old picture'],
  ['/~recto/search?q=zebra', 200, 'guide/install'],
  ['/~recto/search.json?q=zebra', 200, 'guide/install'],
  ['/home', 200, 'Read this first.'],
  ['/guide/INSTALL', 307, ''],
  ['/nothing', 503, ''],
]

describe('while the API is away', () => {
  it('every address is there, though nobody has opened it before', async () => {
    await unplugged()
    for (const [path, status, text] of addresses) {
      const answer = await reader.get(path)
      expect([path, answer.status, answer.text.includes(text)]).toEqual([path, status, true])
      if (status < 400) expect(answer.headers['cache-status']).toMatch(/^Recto; hit; ttl=-\d+; detail=outage$/)
    }
  })

  it('answers are kept by caches as they ever are, and are the same', async () => {
    const before = [await reader.get('/guide/install'), await reader.get('/guide/install.md')]
    await unplugged()
    const after = [await reader.get('/guide/install'), await reader.get('/guide/install.md')]
    for (const [at, { headers, text }] of before.entries()) {
      const { 'cache-status': _status, 'content-security-policy': policy, ...others } = after[at]?.headers ?? {}
      const { 'content-security-policy': _policy, ...expected } = headers
      expect([others, policy === undefined]).toEqual([expected, _policy === undefined])
      const withoutNonce = (page: string) => page.replaceAll(/nonce="[^"]*"/g, '')
      expect(withoutNonce(after[at]?.text ?? '')).toBe(withoutNonce(text))
    }
  })

  it('views are dropped, and opinions are refused', async () => {
    await unplugged()
    const send = async (event: object) =>
      (await reader.get('/~recto/events', { method: 'POST', body: JSON.stringify(event) })).status
    expect([
      await send({ type: 'page_view', page: 'id-home' }),
      await send({ type: 'page_post_feedback', page: 'id-home', rating: 'good' }),
    ]).toEqual([204, 503])
  })

  it('answers are counted, from disk and for want of it, and the time goes on', async () => {
    await unplugged()
    const hits = await gauge('cache_requests_total{cache="kept",result="hit",service="reader"}')
    await reader.get('/')
    await reader.get('/', { host: 'nobody.docs.example' })
    expect([
      await gauge('cache_requests_total{cache="kept",result="hit",service="reader"}'),
      await gauge('cache_requests_total{cache="kept",result="miss",service="reader"}'),
    ]).toEqual([hits + 1, 1])
    expect(await gauge('outage_seconds{upstream="api",service="reader"}')).toBeGreaterThan(0)
    expect(await gauge('cache_bytes{cache="kept",service="reader"}')).toBeGreaterThan(0)
  })

  it('a visitor with claims reads on, unless they change what the site shows', async () => {
    const claims = Buffer.from('{"beta":true}').toString('base64url')
    const withClaims = () => reader.get('/', { headers: { cookie: `recto-claims=${claims}` } })
    await unplugged()
    expect((await withClaims()).status).toBe(200)
    await toy.start()
    Object.assign(toy.site, { adaptive: true, version: 2 })
    await untilBack()
    await reader.get('/')
    await untilKept()
    await toy.stop()
    await untilAway()
    expect([(await withClaims()).status, (await reader.get('/')).status]).toEqual([503, 200])
  })
})

it('Once the API answers again, what has changed shows', async () => {
  await unplugged()
  Object.assign(toy.site.spaces.new ?? {}, { revision: 'n2', pages: { home: 'Changed.' } })
  await toy.start()
  await untilBack()
  expect((await reader.get('/')).text).toContain('Changed.')
})

it('A new revision is fetched ahead, and what nothing shows any more goes', async () => {
  await reader.get('/')
  await untilKept()
  Object.assign(toy.site.spaces.new ?? {}, { revision: 'n2', pages: { home: 'Newest.', more: 'Never opened.' } })
  await eventually(async () => expect(await textOnDisk()).toContain('Never opened.'))
  await eventually(async () => expect(await textOnDisk()).not.toContain('zebracorn'))
  await untilKept()
  await toy.stop()
  await untilAway()
  expect([(await reader.get('/more')).status, (await reader.get('/')).text.includes('Newest.')]).toEqual([200, true])
})

it('A file that is the same is not fetched again, and nor is what never changes', async () => {
  await reader.get('/')
  await untilKept()
  toy.requests.length = 0
  Object.assign(toy.site.spaces.old ?? {}, { revision: 'o2' })
  await eventually(async () => expect(toy.requests.filter(each => each.includes('/revisions/o2/page')).length).toBe(2))
  await untilKept()
  expect(toy.requests.filter(each => each.includes('/revisions/n1/'))).toEqual([])
})

it('Walks and checks count no views', async () => {
  await reader.get('/')
  await untilKept()
  expect(toy.requests.filter(each => each.includes('insights'))).toEqual([])
})

it('A revision that is walked only in part is not served: the last whole one is', async () => {
  await reader.get('/')
  await untilKept()
  toy.mode = /\/revisions\/n2\/page\/id-more/
  Object.assign(toy.site.spaces.new ?? {}, { revision: 'n2', pages: { home: 'Newest.', more: 'Never opened.' } })
  await eventually(async () => expect((await reader.get('/')).text).toContain('Newest.'))
  await eventually(() => expect(toy.requests.some(each => each.includes('/revisions/n2/page/id-more'))).toBe(true))
  await toy.stop()
  await untilAway()
  expect((await reader.get('/')).text).toContain('Read this first.')
  expect((await reader.get('/guide/install')).text).toContain('zebracorn')
})

describe('an outage', () => {
  it.each<[string, () => Promise<void>]>([
    ['that refuses connections', () => toy.stop()],
    ['that never answers', async () => void (toy.mode = 'hangs')],
    ['that fails at every path', async () => void (toy.mode = /./)],
    ['of lookups', async () => void (toy.mode = /urls/)],
    ['of spaces', async () => void (toy.mode = /spaces/)],
  ])('%s fails no page, and pages are there at once', async (_how, begin) => {
    await reader.get('/')
    await untilKept()
    await begin()
    expect((await reader.get('/guide/install')).status).toBe(200)
    await untilAway()
    const begun = performance.now()
    for (let turn = 0; turn < 20; turn += 1) expect((await reader.get('/guide/install')).status).toBe(200)
    expect(performance.now() - begun).toBeLessThan(20 * quickTimes.patience)
  })

  it('is none where one route fails: its requests alone are answered from disk', async () => {
    await reader.get('/')
    await untilKept()
    toy.mode = /\/document|\/search/
    for (const path of ['/guide/install', '/old', '/~recto/search?q=zebra'])
      expect((await reader.get(path)).status).toBe(200)
    for (let turn = 0; turn < 5; turn += 1) {
      await reader.get(`/~recto/search?q=zebra${turn}`)
      expect(await gauge('outage_seconds{upstream="api",service="reader"}')).toBe(0)
    }
  })
})

describe('a site that is closed', () => {
  it.each<[string, object]>([
    ['is unpublished', { isPublished: false, version: 2 }],
    ['is for those who log in', { visibility: 'visitor-auth', version: 2 }],
    ['is of another visibility, though a lookup lets in', { visibility: 'in-collection', version: 2 }],
  ])('and %s leaves the disk, with nobody asking for it', async (_how, change) => {
    await reader.get('/')
    await untilKept()
    expect(await textOnDisk()).toContain('zebracorn')
    Object.assign(toy.site, change)
    await eventually(async () => expect(await readdir(folder)).toEqual([]))
    await toy.stop()
    await eventually(async () => expect((await reader.get('/')).status).toBe(503))
  })

  it('is not served from disk from the moment when a visitor was refused', async () => {
    await reader.stop()
    reader = await aKeptReader(toy, { folder, times: { ...quickTimes, checkEvery: 1_000_000 } })
    await reader.get('/')
    await untilKept()
    toy.site.isPublished = false
    await eventually(async () => expect((await reader.get('/')).status).toBe(404))
    await toy.stop()
    await eventually(async () => expect((await reader.get('/')).status).toBe(503))
    expect((await reader.get('/guide/install')).status).toBe(503)
  })

  it('is closed at once by a notification', async () => {
    await reader.stop()
    reader = await aKeptReader(toy, { folder, times: { ...quickTimes, checkEvery: 1_000_000 } })
    await reader.get('/')
    await untilKept()
    toy.site.isPublished = false
    reader.keeper.notify(['site:s'])
    await eventually(async () => expect(await readdir(folder)).toEqual([]))
  })
})

describe('a reader that starts', () => {
  it('in an outage serves nothing, whatever is on disk', async () => {
    await unplugged()
    await reader.stop()
    reader = await aKeptReader(toy, { folder })
    for (let turn = 0; turn < 5; turn += 1) {
      const { status, headers } = await reader.get('/')
      expect([status, headers['retry-after']]).toEqual([503, '5'])
    }
    await toy.start()
    await eventually(async () => expect((await reader.get('/')).status).toBe(200))
  })

  it('later asks about what is on disk, and removes what was closed meanwhile', async () => {
    await unplugged()
    await reader.stop()
    toy.site.isPublished = false
    await toy.start()
    reader = await aKeptReader(toy, { folder })
    await eventually(async () => expect(await readdir(folder)).toEqual([]))
  })

  it('later serves what is on disk once the API has confirmed it, without a visit', async () => {
    await unplugged()
    await reader.stop()
    await toy.start()
    reader = await aKeptReader(toy, { folder })
    await untilKept()
    await toy.stop()
    await untilAway()
    expect((await reader.get('/guide/install')).status).toBe(200)
  })
})

it('A site that was last confirmed too long before the outage is not served', async () => {
  await reader.stop()
  const times = { ...quickTimes, checkEvery: 1_000_000, confirmedFor: 1 }
  reader = await aKeptReader(toy, { folder, times })
  await reader.get('/')
  await untilKept()
  await toy.stop()
  await eventually(async () => expect((await reader.get('/')).status).toBe(503))
  expect(await textOnDisk()).toContain('zebracorn')
})

it('Nothing of who logs in, of claims that count, and of a token is ever on disk', async () => {
  const claims = Buffer.from('{"needle":"claimneedle"}').toString('base64url')
  toy.site.adaptive = true
  await reader.get('/')
  await reader.get('/', { headers: { cookie: `recto-claims=${claims}` } })
  await untilKept()
  const text = await textOnDisk()
  expect(text).toContain('zebracorn')
  expect(text).not.toContain('claimneedle')
  expect(text).not.toMatch(/apiToken|"x\.[\w-]+\.x"/)
  Object.assign(toy.site, { visibility: 'visitor-auth', version: 2 })
  await eventually(async () => expect(await readdir(folder)).toEqual([]))
  const cookie = 'recto-visitor=loginneedle'
  for (let turn = 0; turn < 5; turn += 1) expect((await reader.get('/', { headers: { cookie } })).status).toBe(200)
  expect(await textOnDisk()).toBe('')
  await toy.stop()
  await eventually(async () => expect((await reader.get('/', { headers: { cookie } })).status).toBe(503))
})

it('A disk that is full, or may not be written, changes nothing while the API answers', async () => {
  await reader.stop()
  reader = await aKeptReader(toy, { folder, maxBytes: 1_000 })
  expect((await reader.get('/')).status).toBe(200)
  expect((await reader.get('/guide/install')).status).toBe(200)
  await toy.stop()
  await eventually(async () => expect((await reader.get('/')).status).toBe(503))
})

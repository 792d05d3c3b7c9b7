import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@recto/testing'
import { describe, expect, it } from '@jest/globals'
import { quickTimes } from './test/a-kept-reader.ts'
import { keptSetup, wholeSites } from './test/kept-setup.ts'

const setup = keptSetup()

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
    await setup.unplug()
    for (const [path, status, text] of addresses) {
      const answer = await setup.reader.get(path)
      expect([path, answer.status, answer.text.includes(text)]).toEqual([path, status, true])
      if (status < 400) expect(answer.headers['cache-status']).toMatch(/^Recto; hit; ttl=-\d+; detail=outage$/)
    }
  })

  it('answers are kept by caches as they ever are, and are the same', async () => {
    const before = [await setup.reader.get('/guide/install'), await setup.reader.get('/guide/install.md')]
    await setup.unplug()
    const after = [await setup.reader.get('/guide/install'), await setup.reader.get('/guide/install.md')]
    for (const [at, { headers, text }] of before.entries()) {
      const { 'cache-status': _status, 'content-security-policy': policy, ...others } = after[at]?.headers ?? {}
      const { 'content-security-policy': _policy, ...expected } = headers
      expect([others, policy === undefined]).toEqual([expected, _policy === undefined])
      const withoutNonce = (page: string) => page.replaceAll(/nonce="[^"]*"/g, '')
      expect(withoutNonce(after[at]?.text ?? '')).toBe(withoutNonce(text))
    }
  })

  it('views are dropped, and opinions are refused', async () => {
    await setup.unplug()
    const send = async (event: object) =>
      (await setup.reader.get('/~recto/events', { method: 'POST', body: JSON.stringify(event) })).status
    expect([
      await send({ type: 'page_view', page: 'id-home' }),
      await send({ type: 'page_post_feedback', page: 'id-home', rating: 'good' }),
    ]).toEqual([204, 503])
  })

  it('answers are counted, from disk and for want of it, and the time goes on', async () => {
    await setup.unplug()
    const hits = await setup.gauge('cache_requests_total{cache="kept",result="hit",service="reader"}')
    await setup.reader.get('/')
    await setup.reader.get('/', { host: 'nobody.docs.example' })
    expect([
      await setup.gauge('cache_requests_total{cache="kept",result="hit",service="reader"}'),
      await setup.gauge('cache_requests_total{cache="kept",result="miss",service="reader"}'),
    ]).toEqual([hits + 1, 1])
    expect(await setup.gauge('outage_seconds{upstream="api",service="reader"}')).toBeGreaterThan(0)
    expect(await setup.gauge('cache_bytes{cache="kept",service="reader"}')).toBeGreaterThan(0)
  })

  it('a visitor with claims reads on, unless they change what the site shows', async () => {
    const claims = Buffer.from('{"beta":true}').toString('base64url')
    const withClaims = () => setup.reader.get('/', { headers: { cookie: `recto-claims=${claims}` } })
    await setup.unplug()
    expect((await withClaims()).status).toBe(200)
    await setup.toy.start()
    Object.assign(setup.toy.site, { adaptive: true, version: 2 })
    await setup.untilBack()
    await setup.reader.get('/')
    await setup.untilKept()
    await setup.toy.stop()
    await setup.untilAway()
    expect([(await withClaims()).status, (await setup.reader.get('/')).status]).toEqual([503, 200])
  })
})

it('Once the API answers again, what has changed shows', async () => {
  await setup.unplug()
  Object.assign(setup.toy.site.spaces.new ?? {}, { revision: 'n2', pages: { home: 'Changed.' } })
  await setup.toy.start()
  await setup.untilBack()
  expect((await setup.reader.get('/')).text).toContain('Changed.')
})

it('A new revision is fetched ahead, and what nothing shows any more goes', async () => {
  await setup.reader.get('/')
  await setup.untilKept()
  Object.assign(setup.toy.site.spaces.new ?? {}, { revision: 'n2', pages: { home: 'Newest.', more: 'Never opened.' } })
  await eventually(async () => expect(await setup.textOnDisk()).toContain('Never opened.'))
  await eventually(async () => expect(await setup.textOnDisk()).not.toContain('zebracorn'))
  await setup.untilKept()
  await setup.toy.stop()
  await setup.untilAway()
  expect([(await setup.reader.get('/more')).status, (await setup.reader.get('/')).text.includes('Newest.')]).toEqual([
    200,
    true,
  ])
})

it('A file that is the same is not fetched again, and nor is what never changes', async () => {
  await setup.reader.get('/')
  await setup.untilKept()
  setup.toy.requests.length = 0
  Object.assign(setup.toy.site.spaces.old ?? {}, { revision: 'o2' })
  await eventually(async () =>
    expect(setup.toy.requests.filter(each => each.includes('/revisions/o2/page')).length).toBe(2),
  )
  await setup.untilKept()
  expect(setup.toy.requests.filter(each => each.includes('/revisions/n1/'))).toEqual([])
})

it('Walks and checks count no views', async () => {
  await setup.reader.get('/')
  await setup.untilKept()
  expect(setup.toy.requests.filter(each => each.includes('insights'))).toEqual([])
})

it('A revision that is walked only in part is not served: the last whole one is', async () => {
  await setup.reader.get('/')
  await setup.untilKept()
  setup.toy.mode = /\/revisions\/n2\/page\/id-more/
  Object.assign(setup.toy.site.spaces.new ?? {}, { revision: 'n2', pages: { home: 'Newest.', more: 'Never opened.' } })
  await eventually(async () => expect((await setup.reader.get('/')).text).toContain('Newest.'))
  await eventually(() =>
    expect(setup.toy.requests.some(each => each.includes('/revisions/n2/page/id-more'))).toBe(true),
  )
  await setup.toy.stop()
  await setup.untilAway()
  expect((await setup.reader.get('/')).text).toContain('Read this first.')
  expect((await setup.reader.get('/guide/install')).text).toContain('zebracorn')
})

describe('an outage', () => {
  it.each<[string, () => Promise<void>]>([
    ['that refuses connections', () => setup.toy.stop()],
    ['that never answers', async () => void (setup.toy.mode = 'hangs')],
    ['that fails at every path', async () => void (setup.toy.mode = /./)],
    ['of lookups', async () => void (setup.toy.mode = /urls/)],
    ['of spaces', async () => void (setup.toy.mode = /spaces/)],
  ])('%s fails no page, and pages are there at once', async (_how, begin) => {
    await setup.reader.get('/')
    await setup.untilKept()
    await begin()
    expect((await setup.reader.get('/guide/install')).status).toBe(200)
    await setup.untilAway()
    const begun = performance.now()
    for (let turn = 0; turn < 20; turn += 1) expect((await setup.reader.get('/guide/install')).status).toBe(200)
    expect(performance.now() - begun).toBeLessThan(20 * quickTimes.patience)
  })

  it('is none where one route fails: its requests alone are answered from disk', async () => {
    await setup.reader.get('/')
    await setup.untilKept()
    setup.toy.mode = /\/document|\/search/
    for (const path of ['/guide/install', '/old', '/~recto/search?q=zebra'])
      expect((await setup.reader.get(path)).status).toBe(200)
    for (let turn = 0; turn < 5; turn += 1) {
      await setup.reader.get(`/~recto/search?q=zebra${turn}`)
      expect(await setup.gauge('outage_seconds{upstream="api",service="reader"}')).toBe(0)
    }
  })
})

it('A disk that is full, or may not be written, changes nothing while the API answers', async () => {
  await setup.restart({ maxBytes: 1_000 })
  expect((await setup.reader.get('/')).status).toBe(200)
  expect((await setup.reader.get('/guide/install')).status).toBe(200)
  await setup.toy.stop()
  await eventually(async () => expect((await setup.reader.get('/')).status).toBe(503))
})

it('A site that has no room beside what it was before is kept as it is now', async () => {
  const long = (letter: string) => ({ home: letter.repeat(60_000), more: letter.repeat(60_000) })
  await setup.restart({ maxBytes: 500_000 })
  Object.assign(setup.toy.site.spaces.new ?? {}, { pages: long('a') })
  await setup.reader.get('/')
  await setup.untilKept()
  Object.assign(setup.toy.site.spaces.new ?? {}, { revision: 'n2', pages: long('b') })
  await eventually(async () => expect((await setup.reader.get('/more')).text).toContain('bbb'))
  await eventually(async () => expect(await setup.textOnDisk()).not.toContain('aaaaaa'))
  await setup.untilKept()
  await setup.toy.stop()
  await setup.untilAway()
  expect((await setup.reader.get('/more')).text).toContain('bbb')
})

it('A site that has no room at all is kept in part, and is not walked again and again', async () => {
  const pages = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`page-${at}`, 'a'.repeat(60_000)]))
  await setup.restart({ maxBytes: 400_000 })
  Object.assign(setup.toy.site.spaces.new ?? {}, { pages: { home: 'Home.', ...pages } })
  await setup.reader.get('/')
  await eventually(async () => {
    const { walked } = JSON.parse(await readFile(join(setup.folder, 's', 'site.json'), 'utf8')) as { walked?: string }
    expect(walked).toBeDefined()
  })
  expect([await setup.gauge(wholeSites), await setup.gauge('kept_sites{state="partial",service="reader"}')]).toEqual([
    0, 1,
  ])
  await setup.toy.stop()
  await setup.untilAway()
  expect((await setup.reader.get('/')).status).toBe(200)
})

it('A reply that is no JSON fails for who asked, and for nobody else', async () => {
  await setup.reader.get('/')
  await setup.untilKept()
  Object.assign(setup.toy, { mode: /urls/, failure: { status: 200, text: '<html>' } })
  await eventually(async () => expect(await setup.reader.get('/').catch(() => 'failed')).toBe('failed'))
  setup.toy.mode = 'answers'
  await eventually(async () => expect((await setup.reader.get('/')).status).toBe(200))
})

import { createHmac } from 'node:crypto'
import { eventually } from '@recto/testing'
import { HtmlValidate } from 'html-validate'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { forged } from './forged.ts'
import { feedsOfUpdates, formsForPrograms } from './forms-for-programs.ts'
import { sendOk } from './people.ts'
import { questionsWithoutEngine } from './questions-to-sites.ts'
import { linksBetweenSpaces } from './links-between-spaces.ts'
import { ask, cookiesOf, readerSites, type ReaderSites } from './reader-sites.ts'
import { healthUrlOf } from './replicas.ts'
import { readerSecret } from './shared-stack.ts'
import { tagsOfSpaces } from './tags-of-spaces.ts'

let sites: ReaderSites

beforeAll(async () => {
  sites = await readerSites()
})

afterAll(async () => {
  await sites.stop()
})

/** The standard; Preact writes void elements with a slash, and long lines end in what they end in. */
const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'void-style': 'off', 'no-trailing-whitespace': 'off' },
})

/** A PNG of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='
const at = (path: string) => `${sites.reader}/${path}`
const titleIn = (html: string) => /<h1[^>]*>(?:<[^>]*>)*([^<]*)/.exec(html)?.[1]

async function insert(space: string, changes: object[]): Promise<void> {
  const { stack, admin } = sites
  await sendOk(stack, admin, { method: 'POST', path: `/spaces/${space}/content`, body: { changes } })
}

linksBetweenSpaces(() => sites)
questionsWithoutEngine(() => sites, validator)
formsForPrograms(() => sites)
feedsOfUpdates(() => sites)
tagsOfSpaces(() => sites)

describe('a published site', () => {
  it.each([
    ['', 'Welcome'],
    ['installation', 'Installation'],
    ['installation/on-linux', 'On Linux'],
    ['reference/options', 'Options'],
    ['hidden-page', 'Hidden page'],
    ['old/', 'Welcome'],
    ['old/installation', 'Installation'],
    ['v/old/installation', 'Installation'],
    ['api/', 'Overview'],
  ])('shows at "%s" the page %s', async (path, title) => {
    const { status, text } = await ask(at(`${sites.docs.name}/${path}`.replace(/(.)\/$/, path === '' ? '$1/' : '$1')))
    expect([status, titleIn(text)]).toEqual([200, title])
  })

  it.each([
    ['docs', '/'],
    ['docs/installation/', '/installation'],
    ['docs//installation', '/installation'],
    ['docs/Installation', '/installation'],
    ['docs/welcome', undefined],
    ['docs/reference', '/reference/options'],
  ])('sends %s to %s', async (path, target) => {
    const { name } = sites.docs
    const { status, headers } = await ask(at(path.replace('docs', name)))
    if (target === undefined) return expect(status).toBe(200)
    expect([307, 308]).toContain(status)
    expect(headers.location).toBe(`/${name}${target}`)
  })

  it('is found by its host, too', async () => {
    const host = `${sites.docs.name}.docs.localhost`
    const { status, text } = await ask(at('installation'), { headers: { host } })
    expect([status, titleIn(text)]).toEqual([200, 'Installation'])
    expect(text).toContain('href="/installation/on-linux"')
  })

  it('has a page for what is at no page, with a search for it', async () => {
    const { status, text } = await ask(at(`${sites.docs.name}/no-such-page`))
    expect([status, titleIn(text)]).toEqual([404, 'Page not found'])
    expect(text).toContain('value="no such page"')
    expect((await ask(at('no-such-site/'))).status).toBe(404)
    expect((await ask(at(''))).status).toBe(404)
  })

  it('sends former paths and redirects of the site to where they lead', async () => {
    const { admin, organizationId, docs } = sites
    const { items } = (await admin.client.orgs.listSiteSpaces(organizationId, docs.siteId)).data
    const siteSpaceId = items.find(({ space }) => space.id === docs.manual)?.id ?? ''
    const destination = { kind: 'site-space', siteSpaceId } as never
    await admin.client.orgs.createSiteRedirect(organizationId, docs.siteId, { source: '/go', destination })
    await insert(docs.manual, [{ operation: 'insert_page', title: 'Before', document: { markdown: '# Before\n' } }])
    await eventually(async () => expect((await ask(at(`${docs.name}/before`))).status).toBe(200))
    const { pages } = (await admin.client.spaces.listPages(docs.manual)).data
    const id = pages.find(({ title }) => title === 'Before')?.id ?? ''
    await insert(docs.manual, [{ operation: 'update_page', page: id, title: 'After', slug: 'after' }])
    await eventually(async () => {
      const { status, headers } = await ask(at(`${docs.name}/before`))
      expect([status, headers.location]).toEqual([307, `/${docs.name}/after`])
    })
    const { headers } = await ask(at(`${docs.name}/go`))
    expect(headers.location).toBe(`/${docs.name}/`)
  })

  it('shows a change within a second of it', async () => {
    const { docs } = sites
    await insert(docs.old, [{ operation: 'insert_page', title: 'Brand new', document: { markdown: '# Brand new\n' } }])
    await eventually(async () => expect((await ask(at(`${docs.name}/old/brand-new`))).status).toBe(200))
  })

  it.each(['', 'installation', 'reference/options', 'old/', 'no-such-page', '~recto/search?q=install'])(
    'is valid HTML at "%s"',
    async path => {
      const { text } = await ask(at(`${sites.docs.name}/${path}`.replace(/(?<=old)\/$/, '')))
      const { results } = await validator.validateString(text)
      expect(
        results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`)),
      ).toEqual([])
    },
  )

  it.each(['old', 'api'] as const)(
    'shows the images and searches of its space "%s", not of the default one',
    async name => {
      const { docs } = sites
      await insert(docs[name], [
        { operation: 'insert_files', files: [{ name: 'dot.png', ref: 'dot', base64: dot }] },
        { operation: 'insert_page', title: 'Picture', document: { markdown: '# Picture\n\n![A dot](ref:dot)\n' } },
      ])
      const page = await eventually(async () => {
        const answer = await ask(at(`${docs.name}/${name}/picture`))
        expect(answer.status).toBe(200)
        return answer.text
      })
      const source = /src="([^"]+dot\.png)"/.exec(page)?.[1] ?? ''
      const image = await ask(`${sites.reader}${source}`)
      expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png'])
      expect(page).toContain(`action="/${docs.name}/${name}/~recto/search"`)
    },
  )

  it('says what has not changed', async () => {
    const url = at(`${sites.docs.name}/installation`)
    const { headers } = await ask(url)
    const again = await ask(url, { headers: { 'if-none-match': headers.etag ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
    // The page that the browser has stays with the policy that it came with.
    expect(again.headers['content-security-policy']).toBeUndefined()
    expect((await ask(url, { headers: { 'if-none-match': 'W/"another"' } })).status).toBe(200)
  })

  it('finds pages without a script and for the script', async () => {
    const { text } = await ask(at(`${sites.docs.name}/~recto/search?q=zebracorn`))
    expect(text).toContain(`href="/${sites.docs.name}/installation#remove-it"`)
    const { hits } = JSON.parse((await ask(at(`${sites.docs.name}/~recto/search.json?q=zebracorn`))).text)
    expect(hits).toMatchObject([{ title: 'Installation', href: `/${sites.docs.name}/installation` }])
    expect((await ask(at(`${sites.docs.name}/~recto/search`))).status).toBe(200)
  })

  it('searches the variant that is read, not the others', async () => {
    const hitsIn = async (variant: string): Promise<string[]> => {
      const { text } = await ask(at(`${sites.docs.name}/${variant}~recto/search.json?q=installation`))
      return (JSON.parse(text) as { hits: { href: string }[] }).hits.map(({ href }) => href)
    }
    const [current, old] = ['installation', 'old/installation'].map(path => `/${sites.docs.name}/${path}`)
    expect([await hitsIn(''), await hitsIn('old/')]).toEqual([
      expect.arrayContaining([current]),
      expect.arrayContaining([old]),
    ])
    expect([(await hitsIn('')).includes(old ?? ''), (await hitsIn('old/')).includes(current ?? '')]).toEqual([
      false,
      false,
    ])
  })

  it('counts what browsers tell, and refuses anything else', async () => {
    const url = at(`${sites.docs.name}/~recto/events`)
    const send = (body: string) => ask(url, { method: 'POST', body, headers: { 'content-type': 'text/plain' } })
    expect((await send(JSON.stringify({ type: 'page_view', page: 'a' }))).status).toBe(204)
    expect((await send(JSON.stringify({ type: 'page_post_feedback', page: 'a', rating: 'good' }))).status).toBe(204)
    for (const body of ['', 'x', '{}', '{"type":"ad_click","page":"a"}']) expect((await send(body)).status).toBe(400)
  })

  it('takes notifications of changes with a signature only', async () => {
    const body = JSON.stringify({ tags: ['site:1'] })
    const signature = createHmac('sha256', readerSecret).update(body).digest('hex')
    const send = (headers: Record<string, string>) =>
      ask(at('~gitbook/revalidate'), {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
    expect((await send({ 'x-gitbook-signature': signature })).status).toBe(200)
    expect((await send({ 'x-gitbook-signature': forged(signature) })).status).toBe(401)
    expect((await send({})).status).toBe(401)
  })
})

describe('a site behind a secret link', () => {
  it('shows below its key only, keeps it in its links, and is found by nobody else', async () => {
    const { name, key } = sites.shared
    const { status, text } = await ask(at(`${name}/${key}`))
    expect([status, titleIn(text)]).toEqual([200, 'Draft'])
    expect(text).toContain(`href="/${name}/${key}/next"`)
    expect(text).toContain('<meta name="robots" content="noindex"')
    for (const path of ['', 'draft', 'wrong-key/', 'wrong-key/next'])
      expect((await ask(at(`${name}/${path}`.replace(/(?<=key)\/$/, '')))).status).toBe(404)
    expect((await ask(at(`${name}/${key}/robots.txt`))).text).toBe('User-agent: *\nDisallow: /\n')
    expect((await ask(at(`${name}/${key}/sitemap.xml`))).status).toBe(404)
  })
})

describe('a site that visitors log in to', () => {
  /** Follows the login server back to the site; resolves to the cookies of the visitor. */
  async function logIn(claims: object | undefined): Promise<{ cookie: string; status: number; location: string }> {
    sites.closed.login.claims = claims
    const { headers } = await ask(at(`${sites.closed.name}/`))
    const { headers: back } = await ask(headers.location ?? '')
    const { status, headers: entered } = await ask(back.location ?? '')
    const cookie = (entered['set-cookie'] ?? []).map(each => each.split(';')[0]).join('; ')
    return { cookie, status, location: entered.location ?? '' }
  }

  it('sends to the login server, and shows what the claims let through', async () => {
    const { status, headers } = await ask(at(`${sites.closed.name}/`))
    expect([status, headers.location?.startsWith(`${sites.closed.login.url}/login`)]).toEqual([307, true])
    const plain = await logIn({ name: 'Ada' })
    expect(plain.location).toBe(`/${sites.closed.name}/`)
    const { text } = await ask(at(`${sites.closed.name}/`), { headers: { cookie: plain.cookie } })
    expect([titleIn(text), text.includes('The beta is open')]).toEqual(['Secret', false])
    const beta = await logIn({ beta: true })
    const page = await ask(at(`${sites.closed.name}/`), { headers: { cookie: beta.cookie } })
    expect(page.text).toContain('The beta is open')
    expect(page.headers['cache-control']).toBe('private, no-cache')
    const other = await ask(at(`${sites.closed.name}/`), { headers: { cookie: plain.cookie } })
    expect(other.text).not.toContain('The beta is open')
  })

  it('keeps the login where no script and no other site gets it', async () => {
    sites.closed.login.claims = {}
    const { headers } = await ask(sites.closed.login.url)
    const { headers: entered } = await ask(headers.location ?? '')
    expect(entered['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(
          `^recto-visitor=[\\w.-]+; Max-Age=\\d+; Path=/${sites.closed.name}/; HttpOnly; Secure; SameSite=Lax$`,
        ),
      ),
      expect.stringMatching(/^recto-session=; Max-Age=0; /),
    ])
  })

  it('tells whose login is not valid, and sends nobody round in circles', async () => {
    const { status, cookie } = await logIn(undefined)
    expect([status >= 400 && status < 500, cookie]).toEqual([true, ''])
    const again = await ask(at(`${sites.closed.name}/`), { headers: { cookie: 'recto-visitor=a.b.c' } })
    expect(again.status).toBe(307)
    expect(again.headers['set-cookie']).toEqual([
      expect.stringContaining('recto-visitor=; '),
      expect.stringMatching(/^recto-session=; Max-Age=0; /),
    ])
  })

  it('says nothing to programs that have not logged in', async () => {
    const names = [
      'llms.txt',
      'llms-full.txt',
      'sitemap.xml',
      'rss.xml',
      'secret.md',
      'secret/rss.xml',
      '~recto/diagram',
      '~recto/search.json?q=visitors',
    ]
    for (const name of names)
      expect([name, (await ask(at(`${sites.closed.name}/${name}`))).status]).toEqual([name, 307])
  })
})

it('counts what fails by the codes that alerts name', async () => {
  expect((await ask(at('no-such-site/'))).status).toBe(404)
  const counter = 'operation_errors_total{operation="other",code="not_found",service="reader"}'
  await eventually(async () => {
    const { text } = await ask(`${healthUrlOf(sites.stack, 'reader')}/metrics`)
    expect(text).toContain(counter)
  })
})

describe('previews', () => {
  it('show a change request, and say so', async () => {
    const { admin, docs, stack } = sites
    const created = await admin.client.spaces.createChangeRequest(docs.manual, { subject: 'News' } as never)
    const { id, number, revisionInitial: main } = created.data
    const changes = [
      { operation: 'insert_page', title: 'Proposal', document: { markdown: '# Proposal\n\nNot yet.\n' } },
    ]
    const path = `/spaces/${docs.manual}/change-requests/${id}/content`
    await sendOk(stack, admin, { method: 'POST', path, body: { changes } })
    const { revision } = (await admin.client.spaces.getChangeRequestById(docs.manual, id)).data
    const preview = await admin.client.orgs.getSitePublishingPreviewById(sites.organizationId, docs.siteId)
    const { url } = preview.data
    expect(url.startsWith(`${sites.reader}/url/preview/`)).toBe(true)
    const entered = await ask(url)
    expect([entered.status, entered.headers.location]).toEqual([307, expect.stringContaining('token=')])
    const cookie = await cookiesOf(`${sites.reader}${entered.headers.location}`)
    const root = `${sites.reader}/url/preview/${docs.siteId}`
    const open = (path: string) => ask(`${root}/~/${path}/proposal`, { headers: { cookie } })
    for (const path of [`changes/${id}`, `changes/${number}`, `revisions/${revision}`]) {
      const { status, text } = await open(path)
      expect([status, titleIn(text)]).toEqual([200, 'Proposal'])
    }
    const page = await open(`changes/${id}`)
    expect(page.text).toContain('You see a change request that is not published')
    expect(page.text).toContain('content="noindex"')
    expect((await ask(root, { headers: { cookie } })).status).toBe(200)
    expect((await ask(root)).status).toBe(404)
    // By its id, all who have it see it; by its number and its revisions only those who preview the site.
    expect((await ask(at(`${docs.name}/~/changes/${id}/proposal`))).status).toBe(200)
    for (const path of [`changes/${number}`, `revisions/${revision}`, `revisions/${main}`, 'changes/nothing'])
      expect((await ask(at(`${docs.name}/~/${path}/proposal`))).status).toBe(404)
  })
})

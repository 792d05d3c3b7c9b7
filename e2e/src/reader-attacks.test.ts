import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aFont } from './fonts.ts'
import { sendOk } from './people.ts'
import { aPublishedSite, aSpace, ask, readerSites, type ReaderSites } from './reader-sites.ts'
import { aCustomization } from './sites.ts'

let sites: ReaderSites

beforeAll(async () => {
  sites = await readerSites()
})

afterAll(async () => {
  await sites.stop()
})

const at = (path: string) => `${sites.reader}/${path}`

describe('an attacker', () => {
  it.each([
    '//evil.example',
    '//evil.example/',
    '/\\evil.example',
    '/%5cevil.example/',
    '/docs//evil.example/',
    '/docs/..//evil.example',
  ])('is sent nowhere else by %s', async path => {
    for (const [url, headers] of [
      [`${sites.reader}${path.replace('docs', sites.docs.name)}`, {}],
      [`${sites.reader}${path}`, { host: `${sites.docs.name}.docs.localhost` }],
    ] as const) {
      const { headers: answered } = await ask(url, { headers })
      const target = answered.location === undefined ? undefined : new URL(answered.location, 'http://here.test')
      expect(target?.host ?? 'here.test').toBe('here.test')
    }
  })

  it('changes nothing by headers that no proxy has set', async () => {
    const url = at(`${sites.docs.name}/`)
    const { text } = await ask(url)
    const poisoned = {
      'x-forwarded-prefix': '/evil',
      'x-original-url': '/evil',
      'x-rewrite-url': '/evil',
      forwarded: 'host=evil',
    }
    const clean = (html: string) => html.replaceAll(/nonce="[^"]*"/g, '')
    expect(clean((await ask(url, { headers: poisoned })).text)).toBe(clean(text))
    for (const host of ['evil host', 'a@b', 'localhost@evil', '[::1', 'x'.repeat(300)])
      expect([host, (await ask(at(''), { headers: { host } })).status >= 400]).toEqual([host, true])
  })

  it.each([
    '..%2f..%2fetc/passwd',
    '~recto/assets/x/..%2f..%2fmain.js',
    '~recto/assets/x/fonts/..%2f..%2fpackage.json',
    '~recto/files/..%2f..%2f',
    '~recto/files',
    '~recto/page/..',
    '%00',
    '%',
    '%ff%fe',
    '~/revisions/../x',
    '__proto__',
    'constructor.md',
  ])('gets nothing at %s', async path => {
    const { status } = await ask(at(`${sites.docs.name}/${path}`))
    expect([status, status >= 400 && status < 500]).toEqual([status, true])
  })

  it('runs no script by what authors and admins write', async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'</style></title>`
    const markdown = [
      `# ${evil}`,
      evil,
      '[a](javascript:alert(1)) [b](data:text/html,<script>alert(1)</script>) ![c](javascript:alert(1))',
      `{% hint style="info" %}${evil}{% endhint %}`,
      `{% embed url="javascript:alert(1)" %}`,
      `{% code title='${evil.replaceAll("'", '')}' %}\n\`\`\`js\n${evil}\n\`\`\`\n{% endcode %}`,
      `{% tabs %}{% tab title='${evil.replaceAll("'", '')}' %}x{% endtab %}{% endtabs %}`,
      `<svg onload=alert(1)></svg><iframe srcdoc="<script>alert(1)</script>"></iframe>`,
      '$$\\href{javascript:alert(1)}{x}$$',
      '<a href="java&#10;script:alert(1)">x</a>',
    ].join('\n\n')
    const files = [
      {
        name: 'evil.svg',
        base64: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64'),
        ref: 'evil',
      },
    ]
    const space = await aSpace(sites, 'Hostile', [
      { operation: 'insert_files', files },
      {
        operation: 'insert_page',
        title: evil,
        description: evil,
        document: { markdown: `${markdown}\n\n![x](ref:evil)` },
      },
    ])
    const { siteId, name } = await aPublishedSite(sites, { title: 'Hostile', spaces: [space] })
    await sites.admin.client.orgs.updateSiteById(sites.organizationId, siteId, { title: evil } as never)
    const { status, text, headers } = await ask(at(`${name}/`))
    expect(status).toBe(200)
    const nonce = /'nonce-([^']+)'/.exec(headers['content-security-policy'] as string)?.[1] ?? ''
    const scripts = [...text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes ?? '')
    for (const attributes of scripts) expect(attributes).toMatch(new RegExp(`nonce="${nonce.replaceAll('+', '\\+')}"`))
    expect(text).not.toMatch(/<[a-z][^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*\son\w+=/i)
    expect(text).not.toMatch(/(?:href|src)="\s*(?:javascript|data:text)/i)
    expect(text).not.toMatch(/<(?:iframe|object|embed|base)\b/i)
    const file = /\/~recto\/files\/[^"]+evil\.svg/.exec(text)?.[0]
    const svg = await ask(at(`${name}${file}`))
    expect([svg.status, svg.headers['content-security-policy']]).toEqual([200, expect.stringContaining('sandbox')])
  })

  it('learns no nonce, and gets another one each time', async () => {
    const policy = async () => (await ask(at(`${sites.docs.name}/`))).headers['content-security-policy']
    expect(await policy()).not.toBe(await policy())
  })

  it.each(['PUT', 'DELETE', 'PATCH', 'TRACE', 'OPTIONS'])('cannot %s', async method =>
    expect((await ask(at(`${sites.docs.name}/`), { method })).status).toBe(405),
  )
})

describe('an author', () => {
  let name: string

  beforeAll(async () => {
    const files = [
      ['a.css', '*{display:none}'],
      ['a.html', '<script>alert(1)</script>'],
      ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
      ['a.txt', 'text\n'.repeat(5_000)],
    ].map(([name, text = '']) => ({ name, ref: name, base64: Buffer.from(text).toString('base64') }))
    const space = await aSpace(sites, 'Odd', [
      { operation: 'insert_files', files },
      {
        operation: 'insert_page',
        title: 'Files',
        document: { markdown: files.map(({ name }) => `[${name}](ref:${name})`).join('\n\n') },
      },
      { operation: 'insert_page', title: 'a\u0001\u0008b ]]> <c>', document: { markdown: '# x' } },
      { operation: 'insert_page', title: 'ends\\', document: { markdown: '# x' } },
    ])
    const site = await aPublishedSite(sites, { title: 'Odd', spaces: [space] })
    name = site.name
    const family = 'x";}</style><script>alert(1)</script>'
    const font = await sendOk<object>(sites.stack, sites.admin, {
      method: 'GET',
      path: `/orgs/${sites.organizationId}/fonts/${await aFont(sites.admin, sites.organizationId, family)}`,
    })
    const custom = aCustomization()
    await sites.admin.client.orgs.updateSiteCustomizationById(sites.organizationId, site.siteId, {
      ...custom,
      styling: { ...custom.styling, font },
    } as never)
  })

  it.each([
    ['a.css', 'application/octet-stream', 'attachment'],
    ['a.html', 'application/octet-stream', 'attachment'],
    ['a.svg', 'image/svg+xml', undefined],
    ['a.txt', 'text/plain; charset=utf-8', undefined],
  ])('has %s sent as %s, so that no page loads it as a script or a style', async (file, type, disposition) => {
    const { text } = await ask(at(`${name}/`))
    const path = [...text.matchAll(/href="([^"]*\/~recto\/files\/[^"]+)"/g)].find(([, href]) =>
      href?.endsWith(file),
    )?.[1]
    const { status, headers } = await ask(`${sites.reader}${path}`)
    expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([200, type, 'nosniff'])
    if (disposition !== undefined) expect(headers['content-disposition']).toBe(disposition)
  })

  it('gets parts of a file as they are, however the browser likes them compressed', async () => {
    const { text } = await ask(at(`${name}/`))
    const path = /[^"]+\/a\.txt/.exec(text)?.[0] ?? ''
    const headers = { range: 'bytes=0-1999', 'accept-encoding': 'gzip' }
    const part = await ask(`${sites.reader}${path}`, { headers })
    expect([part.status, part.headers['content-encoding'], part.text]).toEqual([206, undefined, 'text\n'.repeat(400)])
    const whole = await ask(`${sites.reader}${path}`)
    expect(whole.text).toHaveLength(25_000)
  })

  it('breaks no feed and no list by a title', async () => {
    const feed = (await ask(at(`${name}/rss.xml`))).text
    expect(feed).toContain('<![CDATA[ab ')
    expect(feed).not.toMatch(/[\u0000-\u0008]/)
    expect((await ask(at(`${name}/llms.txt`))).text).toContain('- [ends\\\\](')
  })

  it('runs nothing by the name of a font', async () => {
    const { text, headers } = await ask(at(`${name}/`))
    expect(text).toContain('@font-face{font-family:"x\\22 ')
    expect(text).not.toContain('<script>alert(1)')
    expect(headers['content-security-policy']).toContain("; font-src 'self'; ")
  })
})

describe('a request that cannot be read', () => {
  it.each([
    ['too large', { body: 'x'.repeat(100_000) }, 413],
    ['of an unknown encoding', { body: 'x', headers: { 'content-encoding': 'unknown' } }, 415],
    ['of an unknown charset', { body: 'x', headers: { 'content-type': 'text/plain; charset=unknown' } }, 415],
  ])('is refused when its body is %s, without a word of the code', async (_what, request, expected) => {
    const { status, text } = await ask(at(`${sites.docs.name}/`), { method: 'POST', ...request })
    expect([status, text.includes('The body of the request cannot be read'), /node_modules|\.ts/.test(text)]).toEqual([
      expected,
      true,
      false,
    ])
  })

  it('is refused when its address is too long', async () => {
    const { status, text } = await ask(at(`${sites.docs.name}/${'a'.repeat(5_000)}`))
    expect([status, text.includes('This address is too long')]).toEqual([414, true])
  })

  it('is answered when a proxy hands on a protocol that is none', async () => {
    const headers = { 'x-forwarded-proto': 'evil"><x' }
    for (const path of ['rss.xml', 'llms.txt', '']) {
      const { status, text } = await ask(at(`${sites.docs.name}/${path}`), { headers })
      expect([status, text.includes('evil')]).toEqual([200, false])
    }
  })

  it('is told that the token of a login is too long to keep', async () => {
    const { status, text } = await ask(at(`${sites.closed.name}/?jwt_token=${'a'.repeat(5_000)}`))
    expect([status, text.includes('too long for a browser to keep')]).toEqual([400, true])
  })
})

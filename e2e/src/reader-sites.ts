import { createServer, request as sendRequest, type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { anOrganization, sendOk, type Person } from './people.ts'
import { visitorJwt } from './reader.ts'
import { aCustomization } from './sites.ts'
import { readerOf, sharedStackWithReader } from './shared-stack.ts'
import { removeData, startStack, type Installation } from './stack.ts'
import { untilFound } from './until-found.ts'

/** An installation with a reader, the sites that tests of it open, and what ends them: an installation of their own is stopped and removed. */
export interface ReaderSites {
  stack: Installation
  /** Where the reader listens. */
  reader: string
  admin: Person
  organizationId: string
  docs: { siteId: string; name: string; manual: string; old: string; api: string }
  /** A site of visitors who log in; its login server sends everybody back. */
  closed: { siteId: string; name: string; login: LoginServer }
  /** A site behind a secret link. */
  shared: { siteId: string; name: string; key: string }
  stop(): Promise<void>
}

/** A server that logs visitors in. */
export interface LoginServer {
  url: string
  /** The claims that the next visitor is sent back with; undefined sends a token that is not valid. */
  claims: object | undefined
}

const page = (title: string, text: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: `# ${title}\n\n${text}\n` },
  ...more,
})

/** Blocks that a script changes, and text that a search finds. */
const installation = `Install it with a package.

{% tabs %}
{% tab title="Linux" %}
Run \`apt install recto\`.
{% endtab %}
{% tab title="macOS" %}
Run \`brew install recto\`.
{% endtab %}
{% endtabs %}

## Check it

{% hint style="info" %}
The command prints a version.
{% endhint %}

{% code title="check.sh" %}
\`\`\`bash
recto --version
\`\`\`
{% endcode %}

{% tabs %}
{% tab title="Linux" %}
Look at \`journalctl\`.
{% endtab %}
{% tab title="macOS" %}
Look at the console.
{% endtab %}
{% endtabs %}

## Remove it

Remove the zebracorn package.`

/** Blocks that only the client of today knows, beside a table and a formula. */
const options = `| Option | Default |
| ------ | ------- |
| \`port\` | 3000 |

$$a^2 + b^2$$

{% code expandable="true" collapsedlinecount="2" %}
\`\`\`
first
second
third
fourth
\`\`\`
{% endcode %}

\`\`\`mermaid
flowchart LR
  option --> port
\`\`\`

\`\`\`mermaid
no diagram <b>
\`\`\`

{% prompt description="Set the options" icon="terminal" %}
\`\`\`markdown
Set **every** option.
\`\`\`
{% endprompt %}

{% updates format="full" %}
{% update date="2026-03-10" tags="security" %}
## Older tokens end

Make new ones.
{% endupdate %}

{% update date="2026-04-22" tags="api,beta" %}
## Two ports

There is a second port & more.

{% if visitor.claims.plan == "gold" %}
Not for everybody.
{% endif %}
{% endupdate %}
{% endupdates %}`

const manual = [
  page('Welcome', 'Read this first. See [the installation](ref:install).', { description: 'Where everything begins' }),
  page('Installation', installation, { ref: 'install' }),
  page('On Linux', 'Only for penguins.', { into: 'install' }),
  { operation: 'insert_page', type: 'group', title: 'Reference', ref: 'reference' },
  page('Options', options, { into: 'reference' }),
  page('Hidden page', 'Only for those who know.', { hidden: true }),
]

/** Makes the sites in the shared installation, or, with settings, in one of their own. */
export async function readerSites(env?: Record<string, string>): Promise<ReaderSites> {
  const { stack, reader, end } = env ? await anOwnStack(env) : await theSharedStack()
  const { id: organizationId, admin } = await anOrganization(stack)
  const login = await aLoginServer()
  const make = { stack, reader, admin, organizationId }
  const docs = await makeDocs(make)
  const closed = await makeClosed(make, login)
  const shared = await makeShared(make)
  return {
    stack,
    reader,
    admin,
    organizationId,
    docs,
    shared,
    closed: { ...closed, login },
    stop: async () => {
      login.stop()
      await end()
    },
  }
}

async function theSharedStack() {
  const stack = await sharedStackWithReader()
  return { stack, reader: stack.reader, end: async () => {} }
}

async function anOwnStack(env: Record<string, string>) {
  const limits = { REFUSAL_LIMIT: '100000', RATE_LIMIT: '100000' }
  const stack = await startStack({ env: { ...limits, READER_PORT: '0', ...env } })
  const end = async () => {
    await stack.stop()
    await removeData(stack.dataDir)
  }
  return { stack, reader: readerOf(stack), end }
}

type Make = Pick<ReaderSites, 'stack' | 'reader' | 'admin' | 'organizationId'>

/** Creates a space with some pages; resolves when its search finds the first of them. */
export async function aSpace(
  { stack, admin, organizationId }: Make,
  title: string,
  changes: { operation: string; title?: string; [field: string]: unknown }[],
): Promise<string> {
  const { id } = (await admin.client.orgs.createSpace(organizationId, { title } as never)).data
  await sendOk(stack, admin, { method: 'POST', path: `/spaces/${id}/content`, body: { changes } })
  const words = changes.find(change => /^[a-z ]+$/i.test(change.title ?? ''))?.title
  if (words !== undefined) await untilFound({ stack, admin }, { space: id, words })
  return id
}

/** Creates a site and publishes it; resolves to its id and its name below the reader. */
export async function aPublishedSite(
  { admin, organizationId }: Make,
  { title, spaces, settings = {} }: { title: string; spaces: string[]; settings?: object },
): Promise<{ siteId: string; name: string }> {
  const { orgs } = admin.client
  const { id: siteId } = (await orgs.createSite(organizationId, { title, spaces })).data
  await orgs.updateSiteById(organizationId, siteId, settings as never)
  const { data } = await orgs.publishSite(organizationId, siteId)
  const published = 'urls' in data ? (data.urls.published ?? '') : ''
  return { siteId, name: new URL(published).hostname.split('.')[0] ?? '' }
}

async function makeDocs(make: Make): Promise<ReaderSites['docs']> {
  const { admin, organizationId } = make
  const { orgs } = admin.client
  const spaces = {
    manual: await aSpace(make, 'Manual', manual),
    old: await aSpace(make, 'Old', [page('Welcome', 'The first version.'), page('Installation', 'As it was.')]),
    api: await aSpace(make, 'Api', [page('Overview', 'All operations of the interface.')]),
  }
  const site = await aPublishedSite(make, { title: 'Docs of tests', spaces: [spaces.manual] })
  const custom = {
    ...aCustomization(),
    footer: {
      groups: [{ title: 'More', links: [{ title: 'Elsewhere', to: { kind: 'url', url: 'https://a.test/' } }] }],
    },
    feedback: { enabled: true },
  }
  await orgs.updateSiteCustomizationById(organizationId, site.siteId, custom as never)
  await orgs.addSectionToSite(organizationId, site.siteId, { spaceId: spaces.api, title: 'Api' })
  await orgs.addSpaceToSite(organizationId, site.siteId, { spaceId: spaces.old })
  return { ...site, ...spaces }
}

async function makeClosed(make: Make, login: LoginServer & { setKey(key: string, target: string): void }) {
  const { admin, organizationId, stack } = make
  const changes = [
    page(
      'Secret',
      '{% updates %}\n{% update date="2026-01-02" %}\nNews.\n{% endupdate %}\n{% endupdates %}\n\nFor visitors.\n\n{% if visitor.claims.beta %}\nThe beta is open.\n{% endif %}',
    ),
    page('Second', 'More for visitors.'),
  ]
  const space = await aSpace(make, 'Closed', changes)
  const settings = { visibility: 'visitor-auth', adaptiveContent: { enabled: true } }
  const site = await aPublishedSite(make, { title: 'Closed docs', spaces: [space], settings })
  const path = `/orgs/${organizationId}/sites/${site.siteId}/publishing/auth`
  const { privateKey } = await sendOk<{ privateKey: string }>(stack, admin, { method: 'GET', path })
  await sendOk(stack, admin, { method: 'PATCH', path, body: { fallbackURL: `${login.url}/login` } })
  login.setKey(privateKey, `${make.reader}/${site.name}`)
  return site
}

async function makeShared(make: Make): Promise<ReaderSites['shared']> {
  const { admin, organizationId } = make
  const space = await aSpace(make, 'Shared', [page('Draft', 'For friends.'), page('Next', 'More for friends.')])
  const settings = { visibility: 'share-link' }
  const site = await aPublishedSite(make, { title: 'Shared docs', spaces: [space], settings })
  const link = await admin.client.orgs.createSiteShareLink(organizationId, site.siteId, { name: 'Friends' })
  const key = new URL(link.data.urls.published ?? '').pathname.split('/')[1] ?? ''
  return { ...site, key }
}

/** Logs everybody in, and sends them back to the site. */
async function aLoginServer(): Promise<LoginServer & { setKey(key: string, target: string): void; stop(): void }> {
  const credentials = { key: '', target: '' }
  const login = { url: '', claims: {} as object | undefined }
  const server = createServer((_request, response) => {
    const token = visitorJwt(login.claims ? credentials.key : 'another key', login.claims ?? {})
    response.writeHead(302, { location: `${credentials.target}/?jwt_token=${token}` }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  login.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(login, {
    setKey: (key: string, target: string) => void Object.assign(credentials, { key, target }),
    stop: () => void server.close(),
  })
}

/** An answer of the reader. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Sends a request to the reader as it is: no redirect is followed, any header may be set. */
export async function ask(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { host, hostname, port } = new URL(url)
  // Browsers find all hosts below localhost on this machine (RFC 6761), other programs where the system knows them.
  const isBelow = hostname.endsWith('.localhost')
  // The path as it is written: a URL would be normalised.
  const path = url.replace(/^https?:\/\/[^/]+/, '') || '/'
  const place = isBelow ? { host: 'localhost', headers: { host, ...headers } } : { host: hostname, headers }
  return new Promise((resolve, reject) => {
    const sent = sendRequest({ ...place, port, path, method, agent: false }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, text: Buffer.concat(chunks).toString() })
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The cookies that an address leaves, as a browser sends them back. */
export async function cookiesOf(url: string): Promise<string> {
  const { headers } = await ask(url)
  return (headers['set-cookie'] ?? []).map(cookie => cookie.split(';')[0]).join('; ')
}

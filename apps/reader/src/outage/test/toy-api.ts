import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultCustomization } from '@recto/contracts-publishing'

/** How the toy answers: as ever, never, or with 503 at some paths. */
export type Mode = 'answers' | 'hangs' | RegExp

/** The state of the site of the toy. */
export interface ToySite {
  visibility: string
  isPublished: boolean
  version: number
  adaptive: boolean
  /** The revision and the pages of each space, by their paths: the words of each page. */
  spaces: Record<string, { revision: string; pages: Record<string, string>; file: string }>
}

/** An API with one site, at `https://toy.docs.example/`, of two variants. */
export interface ToyApi {
  url: string
  site: ToySite
  mode: Mode
  /** The answer at the paths that fail. */
  failure: { status: number; text: string }
  /** Requests that came, as `METHOD path`. */
  requests: string[]
  stop(): Promise<void>
  /** Listens again where it did before. */
  start(): Promise<void>
}

/** The address of the site. */
export const toyUrl = 'https://toy.docs.example'

/** Starts the toy. */
export async function aToyApi(): Promise<ToyApi> {
  const site: ToySite = {
    visibility: 'public',
    isPublished: true,
    version: 1,
    adaptive: false,
    spaces: {
      new: {
        revision: 'n1',
        pages: { home: 'Read this first.', 'guide/install': 'Run the zebracorn.' },
        file: 'picture',
      },
      old: { revision: 'o1', pages: { home: 'As it was.' }, file: 'old picture' },
    },
  }
  const toy: ToyApi = {
    url: '',
    site,
    mode: 'answers',
    failure: { status: 503, text: '{}' },
    requests: [],
    stop: async () => {},
    start: async () => {},
  }
  let server: Server
  let port = 0
  toy.start = async () => {
    server = createServer((request, response) => void answer(toy, request, response))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    toy.url = `http://127.0.0.1:${port}`
  }
  toy.stop = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  await toy.start()
  return toy
}

async function answer(toy: ToyApi, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', toy.url)
  const path = pathname.replace(/^\/v1/, '')
  toy.requests.push(`${request.method} ${path}`)
  let text = ''
  for await (const chunk of request) text += String(chunk)
  if (toy.mode === 'hangs') return
  if (toy.mode instanceof RegExp && toy.mode.test(path))
    return void response.writeHead(toy.failure.status).end(toy.failure.text)
  if (path.startsWith('/files/')) return answerFile(toy, path, { request, response })
  const reply = replyTo(toy, path, { body: text, token: request.headers.authorization?.slice('Bearer '.length) })
  const status = typeof reply === 'number' ? reply : 200
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(status === 200 ? reply : {}))
}

function answerFile(
  toy: ToyApi,
  path: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
) {
  const file = toy.site.spaces[path.split('/')[2] ?? '']?.file ?? ''
  const etag = `"${file.length}${file.slice(0, 3)}"`
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': file.length, etag }).end(file)
}

/** Replies whose fields readers use, a status for those that are refused. */
function replyTo(
  { site, url }: ToyApi,
  path: string,
  { body, token }: { body: string; token: string | undefined },
): object | number {
  if (path === '/urls/published') return lookUp(site, JSON.parse(body) as LookupBody)
  if (path.endsWith('/insights/events')) return {}
  if (token === undefined || !site.isPublished || payloadOf(token).version !== site.version) return 401
  if (path === '/orgs/o/sites/s/published') return publishedSite(site)
  if (path === '/orgs/o/sites/s/redirect') return 404
  const [, name = '', rest = ''] = /^\/spaces\/([^/]+)(\/.*)?$/.exec(path) ?? []
  const space = site.spaces[name]
  if (!space) return 404
  if (rest === '') return { object: 'space', id: name, title: name, revision: space.revision, urls: {} }
  const documents = Object.entries(space.pages)
  const [, revision, pageId] = /^\/revisions\/([^/]+)(?:\/page\/([^/]+))?/.exec(rest) ?? []
  if (revision !== space.revision) return 404
  if (pageId === undefined) {
    const pages = documents.map(([pagePath]) => ({
      type: 'document',
      id: idOf(pagePath),
      title: pagePath,
      path: pagePath,
      pages: [],
      layout: {},
      kind: 'sheet',
    }))
    const files = [
      { id: 'f', name: 'picture.png', downloadURL: `${url}/files/${name}/f`, contentType: 'image/png', size: 7 },
    ]
    return { object: 'revision', id: revision, pages, files, tags: [] }
  }
  const words = documents.find(([pagePath]) => idOf(pagePath) === pageId)?.[1]
  if (words === undefined) return 404
  if (!rest.endsWith('/document')) return { id: pageId, markdown: `# Title\n\n${words}\n` }
  const leaves = [{ object: 'leaf', text: words, marks: [] }]
  const nodes = [{ object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves }] }]
  return { object: 'document', data: { schemaVersion: 1 }, nodes }
}

interface LookupBody {
  url: string
  visitor?: { jwtToken?: string; unsignedClaims?: Record<string, unknown> }
}

const idOf = (path: string) => `id-${path.replaceAll('/', '-')}`

function lookUp(site: ToySite, { url, visitor = {} }: LookupBody): object | number {
  const { origin, pathname } = new URL(url)
  if (origin !== toyUrl || !site.isPublished) return 404
  if (site.visibility === 'visitor-auth' && visitor.jwtToken === undefined)
    return { target: 'external', redirect: 'https://login.test/' }
  const parts = pathname.split('/').filter(Boolean)
  const isOld = parts[0] === 'old'
  const space = isOld ? 'old' : 'new'
  const rest = isOld ? parts.slice(1) : parts
  const claims = site.adaptive ? visitor.unsignedClaims : {}
  const isLoggedIn = visitor.jwtToken !== undefined && site.visibility === 'visitor-auth'
  const payload = { version: site.version, place: space, claims, ...(isLoggedIn && { isLoggedIn }) }
  return {
    organization: 'o',
    site: 's',
    siteSpace: `ss-${space}`,
    space,
    pathname: `/${rest.join('/')}`,
    basePath: isOld ? '/old/' : '/',
    siteBasePath: '/',
    apiToken: `x.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.x`,
    complete: true,
    canonicalUrl: `${toyUrl}${pathname}`,
  }
}

function payloadOf(token: string): { version?: number } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { version?: number }
}

function publishedSite({ visibility, adaptive, spaces }: ToySite): object {
  const structure = Object.keys(spaces).map(name => ({
    object: 'site-space',
    id: `ss-${name}`,
    path: name,
    title: name,
    space: { id: name, title: name, urls: {} },
    urls: { published: name === 'new' ? `${toyUrl}/` : `${toyUrl}/${name}` },
    ...(name === 'new' && { default: true }),
  }))
  const urls = { published: `${toyUrl}/` }
  const adaptiveContent = { enabled: adaptive }
  return {
    site: {
      id: 's',
      title: 'Toy',
      visibility,
      published: true,
      agentsContext: 'included',
      adaptiveContent,
      urls,
      features: [],
    },
    structure: { type: 'siteSpaces', structure },
    customizations: { site: { ...defaultCustomization, title: 'Toy' }, siteSpaces: {} },
  }
}

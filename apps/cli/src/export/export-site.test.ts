import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { aFolder } from '@recto/testing/hostile-folders'
import { exportSite, type ExportOptions } from './export-site.ts'

let folder: ReturnType<typeof aFolder>
let out: string
let close = () => undefined as void
beforeEach(() => {
  folder = aFolder()
  out = `${folder.path}/out`
})
afterEach(() => {
  close()
  folder.remove()
})

type Answers = Record<string, (response: ServerResponse) => unknown>

const page = (html: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<main>${html}</main>`)
const redirect = (location: string) => (response: ServerResponse) => response.writeHead(307, { location }).end()

async function exported(answers: Answers, options: Partial<ExportOptions> = {}) {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    if (answer) answer(response)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => {
    server.close()
    server.closeAllConnections()
  }
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const signal = new AbortController().signal
  return exportSite(address, out, { search: {}, signal, onProgress: () => undefined, ...options })
}

const read = (name: string) => readFileSync(`${out}/${name}`, 'utf8')

it('A site that begins at another page has a first page that leads there', async () => {
  const result = await exported({ '/': redirect('/en'), '/en': page('<h1>Hello</h1>') })
  expect(result).toMatchObject({ pages: 1, faults: [] })
  expect(read('index.html')).toContain('content="0; url=en.html"')
})

it('A file that ends early is a fault, and the rest is written', async () => {
  const endEarly = (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': '10' })
    response.write('a', () => response.destroy())
  }
  const answers = { '/': page('<a href="/a.bin">a</a> <a href="/b.bin">b</a>'), '/a.bin': endEarly }
  const result = await exported({ ...answers, '/b.bin': response => response.end('b') })
  expect(result).toMatchObject({ pages: 1, files: 1, faults: [expect.stringContaining('/a.bin cannot be read: ')] })
  expect([read('b.bin'), existsSync(`${out}/a.bin`)]).toEqual(['b', false])
})

it('Redirects that nothing names have pages, and those that lead nowhere are faults', async () => {
  const answers = { '/': page('<h1>Home</h1>'), '/old': redirect('/'), '/a/old.html': redirect('/old') }
  const result = await exported(answers, { redirects: ['/old', '/a/old.html', '/gone'] })
  expect(result.faults).toEqual([expect.stringContaining('/gone answers 404')])
  expect(read('old.html')).toContain('url=index.html"')
  expect(read('a/old.html')).toContain('url=../index.html"')
})

it('A site that cannot be read leaves no folder', async () => {
  await expect(exported({})).rejects.toThrow('answers 404')
  expect(existsSync(out)).toBe(false)
})

import { createHash, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll } from '@jest/globals'
import type { ConvertLimits } from '../model.ts'
import type { ConvertTools } from '../tools.ts'
import * as tasks from '../tasks.ts'

/** A resource of a web in memory: its text, or what its server answers. */
export type Resource =
  string | Uint8Array | { status?: number; type?: string; body?: string | Uint8Array; redirect?: string }

const downloads: string[] = []
afterAll(() => Promise.all(downloads.splice(0).map(path => rm(path, { force: true }))))

/** Tools over a web in memory, without threads. `stored` has the files by hash, `requests` what was fetched. */
export function aWeb(web: Record<string, Resource>, limits: Partial<ConvertLimits> = {}) {
  const stored = new Map<string, Buffer>()
  const requests: string[] = []
  const find = (url: string, hops = 0): { url: string; status: number; type: string; bytes: Buffer } => {
    requests.push(url)
    const reply = web[url]
    if (reply === undefined) return { url, status: 404, type: 'text/html', bytes: Buffer.from('not here') }
    const plain = typeof reply === 'string' || reply instanceof Uint8Array ? { body: reply } : reply
    if (hops > 5) throw Object.assign(new Error('too many redirects'), { reason: 'redirects' })
    if ('redirect' in plain && plain.redirect) return find(plain.redirect, hops + 1)
    const { status = 200, type = typeFor(url), body = '' } = plain as { status?: number; type?: string; body?: string }
    return { url, status, type, bytes: Buffer.from(body) }
  }
  const tools: ConvertTools = {
    run: (async (name: keyof typeof tasks, input: never) => tasks[name](input)) as ConvertTools['run'],
    async fetch(url, { maxBytes }) {
      const { type: contentType, bytes, ...reply } = find(url)
      if (bytes.length > maxBytes) throw Object.assign(new Error('too large'), { reason: 'too_large' })
      return { ...reply, contentType, bytes }
    },
    async download(url) {
      const path = join(tmpdir(), `convert-${randomUUID()}`)
      downloads.push(path)
      await writeFile(path, find(url).bytes)
      return path
    },
    async storeFile(content) {
      const chunks: Uint8Array[] = []
      if (content instanceof Uint8Array) chunks.push(content)
      else for await (const chunk of content) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      const hash = createHash('sha256').update(bytes).digest('hex')
      stored.set(hash, bytes)
      return { hash, size: bytes.length }
    },
    limits: { maxBytes: 10_000_000, maxFiles: 100, maxPageBytes: 1_000_000, ...limits },
  }
  return { tools, stored, requests }
}

const typeFor = (url: string) => (/\.(?:md|txt)$/.test(url) ? 'text/plain' : 'text/html; charset=utf-8')

/** The smallest PNG: one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { checkPage } from '@recto/markdown'
import { buildWorkers, removeFolder } from '@recto/testing'
import { openCheckCache, type CheckCache } from './check-cache.ts'
import { createPageChecks, type PageChecks } from './page-checks.ts'

const root = join(import.meta.dirname, '../../../..')
const texts = ['# A\n\n[b](b.md)\n', '# B\n\n{% tabs %}\n', '# C\n']

let folder: string
let worker: string
beforeAll(() => {
  // Packages resolve only inside the repository.
  mkdirSync(join(root, 'dist'), { recursive: true })
  folder = mkdtempSync(join(root, 'dist/check-worker-'))
  buildWorkers(folder, 'cli')
  worker = join(folder, 'cli/check-worker.js')
})
afterAll(() => removeFolder(folder))

let cache: CheckCache
let checks: PageChecks
beforeEach(async () => {
  cache = await openCheckCache(folder, { folder: join(folder, 'cache'), parser: '1' })
  checks = createPageChecks(cache, worker, 2)
})
afterEach(() => checks.close())

describe('Checks of pages', () => {
  it('say the same of pages that were begun and of others', async () => {
    checks.begin(texts.slice(0, 2))
    expect(await Promise.all(texts.map(text => checks.check(text)))).toEqual(texts.map(checkPage))
  })

  it('keep in the cache what was asked for, and not what was only begun', async () => {
    checks.begin(texts)
    await checks.check(texts[1] ?? '')
    expect(texts.map(text => cache.find(text) !== undefined)).toEqual([false, false, false])
    await cache.save()
    const next = await openCheckCache(folder, { folder: join(folder, 'cache'), parser: '1' })
    expect(texts.map(text => next.find(text))).toEqual([undefined, checkPage(texts[1] ?? ''), undefined])
  })

  it('answer for a page whose batch has failed', async () => {
    const failing = { toString: () => 'no text' } as unknown as string
    checks.begin([texts[0] ?? '', failing])
    expect(await checks.check(texts[0] ?? '')).toEqual(checkPage(texts[0] ?? ''))
  })

  it('end while pages are begun', async () => {
    checks.begin(texts)
    await checks.close()
    await expect(checks.check(texts[0] ?? '')).resolves.toMatchObject({ isBeyondBounds: true })
  })
})

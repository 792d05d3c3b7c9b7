import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { checkPage } from '@recto/markdown'
import { removeFolder } from '@recto/testing'
import { openCheckCache } from './check-cache.ts'

const text = '# Setup\n\n[a](a.md)\n'
const page = checkPage(text)

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recto-cache-'))
  folder = join(root, 'cache')
})
afterEach(() => removeFolder(root))

const open = (parser = '1', checked = root) => openCheckCache(checked, { folder, parser })

async function save(...texts: string[]): Promise<void> {
  const cache = await open()
  for (const one of texts) cache.add(one, checkPage(one))
  await cache.save()
}

describe('the cache of a check', () => {
  it('is empty at first, and has what an earlier check saved', async () => {
    expect((await open()).isEmpty).toBe(true)
    await save(text)
    const cache = await open()
    expect(cache.isEmpty).toBe(false)
    expect(cache.find(text)).toEqual(page)
    expect(cache.find(`${text} `)).toBeUndefined()
  })

  it('is empty for another parser and for another folder', async () => {
    await save(text)
    expect((await open('2')).isEmpty).toBe(true)
    expect((await open('1', join(root, 'other'))).isEmpty).toBe(true)
  })

  it('forgets pages that the folder has no more', async () => {
    await save(text, '# Old')
    const cache = await open()
    cache.find(text)
    await cache.save()
    const next = await open()
    expect([next.find(text), next.find('# Old')]).toEqual([page, undefined])
  })

  it.each(['', '{', '[]', '{"parser":"1"}', '{"parser":"1","pages":1}'])(
    'is empty where its file says %j',
    async said => {
      await save(text)
      for (const name of readdirSync(folder)) writeFileSync(join(folder, name), said)
      expect((await open()).isEmpty).toBe(true)
    },
  )

  it('that cannot be written changes nothing', async () => {
    writeFileSync(folder, '')
    await save(text)
    expect((await open()).isEmpty).toBe(true)
  })

  it('removes what nobody used for a month', async () => {
    mkdirSync(folder)
    for (const [name, days] of [
      ['old.json', 31],
      ['new.json', 29],
    ] as const) {
      writeFileSync(join(folder, name), '')
      const time = Date.now() / 1_000 - days * 86_400
      utimesSync(join(folder, name), time, time)
    }
    await save(text)
    expect(readdirSync(folder)).toContain('new.json')
    expect(readdirSync(folder)).not.toContain('old.json')
  })
})

import { describe, expect, it } from '@jest/globals'
import { WorkerFailure } from '@recto/worker-pool'
import { createParseCache, orFallback, parseOnce } from './parse-once.ts'

describe('a parse', () => {
  it('A parse runs once for callers at the same time, and for later ones', async () => {
    const cache = createParseCache<{ text: string }>(100)
    const startedKeys: string[] = []
    const parse = (key: string) =>
      parseOnce(cache, { key, length: 1 }, async () => {
        startedKeys.push(key)
        await new Promise(setImmediate)
        return { text: key }
      })
    expect(await Promise.all([parse('a'), parse('b'), parse('a')])).toEqual([
      { text: 'a' },
      { text: 'b' },
      { text: 'a' },
    ])
    await parse('a')
    expect(startedKeys).toEqual(['a', 'b'])
  })

  it('A failed parse is not cached', async () => {
    const cache = createParseCache<{ text: string }>(100)
    const at = { key: 'a', length: 1 }
    await expect(parseOnce(cache, at, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await parseOnce(cache, at, async () => ({ text: 'yes' }))).toEqual({ text: 'yes' })
  })

  it.each(['timeout', 'memory', 'depth'] as const)('A parse falls back when it exceeds its %s', async reason =>
    expect(await orFallback(Promise.reject(new WorkerFailure(reason)), () => 'raw')).toBe('raw'),
  )

  it('A parse fails when the service stops, and for any other error', async () => {
    const raw = () => 'raw'
    await expect(orFallback(Promise.reject(new WorkerFailure('closed')), raw)).rejects.toThrow('closed')
    await expect(orFallback(Promise.reject(new Error('a defect')), raw)).rejects.toThrow('a defect')
  })
})

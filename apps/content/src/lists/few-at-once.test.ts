import { expect, it } from '@jest/globals'
import { fewAtOnce } from './few-at-once.ts'

it('works on two items at once, and keeps the order of the results', async () => {
  const [running, most] = [new Set<number>(), { value: 0 }]
  const waiting: (() => void)[] = []
  const results = fewAtOnce([0, 1, 2, 3, 4], async item => {
    running.add(item)
    most.value = Math.max(most.value, running.size)
    await new Promise<void>(resolve => {
      waiting.push(resolve)
      // The later of two ends first.
      if (waiting.length === 2 || item === 4) for (const end of waiting.splice(0).toReversed()) end()
    })
    running.delete(item)
    return item * 10
  })
  expect(await results).toEqual([0, 10, 20, 30, 40])
  expect(most.value).toBe(2)
})

it('fails when one fails', async () => {
  const failing = fewAtOnce([1, 2, 3], async item => {
    if (item === 2) throw new Error('two')
    return item
  })
  await expect(failing).rejects.toThrow('two')
})

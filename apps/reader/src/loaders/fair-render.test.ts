import { describe, expect, it } from '@jest/globals'
import type { Body, BodyInput } from '../blocks/index.ts'
import { createFairRender } from './fair-render.ts'

const input = {} as BodyInput
const body = { html: '' } as Body

/** Two threads whose pages the test ends, and a clock that it sets. */
function threads(count = 2) {
  const clock = { ms: 0 }
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const render = createFairRender(
    (_input, site) => {
      const page = `${site} ${begun.filter(each => each.startsWith(site)).length}`
      begun.push(page)
      return new Promise((resolve, reject) => ends.set(page, error => (error ? reject(error) : resolve(body))))
    },
    { threads: count, now: () => clock.ms },
  )
  const settled = () => new Promise(resolve => setImmediate(resolve))
  const end = async (page: string, error?: Error) => {
    ends.get(page)?.(error)
    await settled()
  }
  return { clock, begun, render, end, settled }
}

describe('pages of sites', () => {
  it('are rendered as they come, as many at a time as there are threads', async () => {
    const { begun, render, end, settled } = threads()
    for (const site of ['a', 'a', 'b', 'a']) void render(input, site)
    await settled()
    expect(begun).toEqual(['a 0', 'a 1'])
    await end('a 0')
    await end('a 1')
    expect(begun).toEqual(['a 0', 'a 1', 'b 0', 'a 2'])
  })

  it.each([undefined, new Error('too slow')])('leave a thread to others once one has taken long (%s)', async error => {
    const { clock, begun, render, end, settled } = threads()
    for (const site of ['slow', 'slow', 'slow', 'slow', 'slow', 'other'])
      render(input, site).catch((failed: unknown) => expect(failed).toBe(error))
    await settled()
    clock.ms = 5_000
    await end('slow 0', error)
    expect(begun).toEqual(['slow 0', 'slow 1', 'other 0'])
    await end('slow 1', error)
    expect(begun.slice(3)).toEqual(['slow 2'])
    void render(input, 'other')
    await end('other 0')
    expect(begun.slice(4)).toEqual(['other 1'])
    await end('slow 2')
    await end('slow 3')
    expect(begun.slice(5)).toEqual(['slow 3', 'slow 4'])
  })

  it('are rendered although there is one thread alone', async () => {
    const { clock, begun, render, end, settled } = threads(1)
    for (const site of ['slow', 'slow', 'other']) void render(input, site)
    await settled()
    clock.ms = 5_000
    await end('slow 0')
    await end('other 0')
    expect(begun).toEqual(['slow 0', 'other 0', 'slow 1'])
  })
})

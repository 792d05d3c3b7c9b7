import { describe, expect, it } from '@jest/globals'
import { nextHop } from './redirects.ts'

const hop = {
  url: new URL('https://a.example/x'),
  method: 'GET',
  headers: { authorization: 'Basic s', Cookie: 'c', accept: '*/*' },
  body: undefined,
}
const post = {
  ...hop,
  method: 'POST',
  headers: { authorization: 'Basic s', 'content-type': 'text/plain' },
  body: 'hello',
}

describe('a redirect', () => {
  it.each([
    [200, 'https://b.example/'],
    [304, 'https://b.example/'],
    [302, undefined],
  ])('is none with status %s and location %s', (status, location) =>
    expect(nextHop(hop, status, location)).toBeUndefined(),
  )

  it.each([301, 302, 303, 307, 308])('keeps credentials inside its origin (%s)', status =>
    expect(nextHop(hop, status, '/y')).toMatchObject({ url: new URL('https://a.example/y'), headers: hop.headers }),
  )

  it.each(['https://b.example/', 'https://a.example:8443/', '//b.example/'])(
    'drops credentials in a redirect to %s',
    location => expect(nextHop(hop, 302, location)?.headers).toEqual({ accept: '*/*' }),
  )

  it('from https to http is refused', () =>
    expect(() => nextHop(hop, 302, 'http://a.example/x')).toThrow(expect.objectContaining({ reason: 'redirects' })))

  it('to another scheme, or with credentials, is refused', () => {
    expect(() => nextHop(hop, 302, 'file:///etc/passwd')).toThrow(expect.objectContaining({ reason: 'bad_url' }))
    expect(() => nextHop(hop, 302, 'https://u:p@b.example/')).toThrow(expect.objectContaining({ reason: 'bad_url' }))
  })

  it.each([
    [301, 'GET'],
    [302, 'GET'],
    [303, 'GET'],
    [307, 'POST'],
    [308, 'POST'],
  ])('of a POST with %s is a %s', (status, method) => {
    const next = nextHop(post, status, '/y')
    expect(next?.method).toBe(method)
    expect(next?.body).toBe(method === 'POST' ? 'hello' : undefined)
    expect(next?.headers).toHaveProperty('authorization')
    expect('content-type' in (next?.headers ?? {})).toBe(method === 'POST')
  })
})

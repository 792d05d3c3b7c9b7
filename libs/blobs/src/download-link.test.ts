import type { Secrets } from '@recto/operation'
import { describe, expect, test } from '@jest/globals'
import { signDownload, verifyDownload } from './index.ts'

const hash = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'
const secret: Secrets = ['a secret of the installation']
const publicUrl = 'https://docs.example'
const now = new Date('2026-03-01T10:20:00Z')
const grant = {
  secret,
  publicUrl,
  hash,
  name: 'a.png',
  contentType: 'image/png',
  expiresAt: new Date('2026-03-01T11:20:00Z'),
}
const pathOf = (url: string) => url.slice(publicUrl.length)

describe('a name works byte for byte', () => {
  const names = [
    'in_tail (2).gif',
    'a b.txt',
    'a#b?c&d=e.txt',
    '100%.txt',
    '%2e%2e',
    '%2F',
    `"quoted" 'name'.txt`,
    'a/b\\c.txt',
    '[x]{y}<z>.md',
    'a+b.txt',
    '文件名.pdf',
    'עברית\u202egpj.exe',
    '\u0000\n\t',
    '...',
    '.hidden',
    'e\u0301 and é',
    '😀.png',
    '~`!@$^*()=|;:,',
    'x'.repeat(255),
  ]
  test.each(names)('%j', name => {
    const url = signDownload({ ...grant, name })
    const { href, pathname, search } = new URL(url)
    expect(href).toBe(url)
    expect(url).toMatch(/^https:\/\/docs\.example\/files\/[\w-]+\/[\w.~%-]+$/)
    expect(verifyDownload({ secret, now }, pathname + search)).toEqual({ hash, name, contentType: 'image/png' })
  })

  test.each(['', '.', '..'])('%j, which no path can hold, becomes "file"', name => {
    const { pathname } = new URL(signDownload({ ...grant, name }))
    expect(verifyDownload({ secret, now }, pathname)).toEqual({ hash, name: 'file', contentType: 'image/png' })
  })
})

test('accepts a link with needless encoding removed by a proxy, and with an added query', () => {
  const path = pathOf(signDownload({ ...grant, name: 'a (2).gif' }))
    .replace('%28', '(')
    .replace('%29', ')')
  expect(verifyDownload({ secret, now }, `${path}?download=1`)).toMatchObject({ name: 'a (2).gif' })
})

test('the address of the installation may have a path', () => {
  const url = signDownload({ ...grant, publicUrl: 'https://x.example/docs/' })
  expect(url).toMatch(/^https:\/\/x\.example\/docs\/files\//)
  expect(verifyDownload({ secret, now }, new URL(url).pathname)).toMatchObject({ hash })
})

describe('time', () => {
  const at = (expiresAt: string) => signDownload({ ...grant, expiresAt: new Date(expiresAt) })
  const verify = (time: string) => verifyDownload({ secret, now: new Date(time) }, pathOf(at('2026-03-01T11:20:00Z')))

  test('the URL is the same within an hour and another in the next', () => {
    expect(at('2026-03-01T11:00:01Z')).toBe(at('2026-03-01T12:00:00Z'))
    expect(at('2026-03-01T12:00:01Z')).not.toBe(at('2026-03-01T12:00:00Z'))
  })

  test.each([
    ['2026-03-01T11:59:59Z', 'object'],
    ['2026-03-01T12:00:00Z', 'string'],
  ])('at %s a link to 11:20 is verified as %s', (time, type) => expect(typeof verify(time)).toBe(type))

  test('an old link is expired', () => expect(verify('2026-03-02T00:00:00Z')).toBe('expired'))
})

describe('a changed link is refused', () => {
  const path = pathOf(signDownload(grant))
  const [, , token = ''] = path.split('/')
  const other = pathOf(signDownload({ ...grant, name: 'b.png', contentType: 'text/html' })).split('/')[2]
  const cases: [string, string, string][] = [
    ['another name', path.replace('a.png', 'b.png'), 'forged'],
    ['another case of the name', path.replace('a.png', 'A.png'), 'forged'],
    ['the token of another file', `/files/${other}/a.png`, 'forged'],
    ['a token cut short', `/files/${token.slice(0, -4)}/a.png`, 'forged'],
    ['a very short token', '/files/abc/a.png', 'malformed'],
    ['no name', `/files/${token}/`, 'malformed'],
    ['a name of bad encoding', `/files/${token}/%E0%A4%A`, 'malformed'],
    ['one more segment', `${path}/x`, 'malformed'],
    ['no file', '/', 'malformed'],
  ]
  test.each(cases)('%s', (_what, changed, fault) => expect(verifyDownload({ secret, now }, changed)).toBe(fault))

  test('any changed character of the token', () => {
    const flip = (index: number) => token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1)
    for (let index = 0; index < token.length - 1; index++) {
      expect(verifyDownload({ secret, now }, `/files/${flip(index)}/a.png`)).toBe('forged')
    }
  })

  test('another secret', () => expect(verifyDownload({ secret: ['other'], now }, path)).toBe('forged'))
  test('a secret before the current one is accepted, and signs nothing any more', () => {
    const rotated: Secrets = ['the next secret', ...secret]
    expect(verifyDownload({ secret: rotated, now }, path)).toMatchObject({ hash })
    expect(pathOf(signDownload({ ...grant, secret: rotated }))).not.toBe(path)
  })

  test('bytes moved from the type into the name', () => {
    const one = pathOf(signDownload({ ...grant, contentType: 'image/pn', name: 'ga.png' }))
    expect(verifyDownload({ secret, now }, one.replace('ga.png', 'a.png'))).toBe('forged')
  })
})

test('a link for nothing in particular is the one that versions before made, byte for byte', () => {
  expect(signDownload(grant)).toBe(
    'https://docs.example/files/uU0nuZNNPgilLlLX2n2r-sSE7-N6U4DukIj3rOLvzekAAGmkKkBpbWFnZS9wbmfrd-LNHpoIF4sihzorUUsu4WhhvmcbiIH2bOmPYrhagw/a.png',
  )
})

describe('what a link was issued for', () => {
  const issuedFor = 'visitors of the site "ä; issued-for=x", 3'
  const link = signDownload({ ...grant, issuedFor })
  const [, , token = ''] = pathOf(link).split('/')

  test.each(['a', 'a b', issuedFor, 'x'.repeat(200), '\u0000'])('%j comes back as it was', reason => {
    const path = pathOf(signDownload({ ...grant, issuedFor: reason }))
    const file = { hash, name: 'a.png', contentType: 'image/png' }
    expect(verifyDownload({ secret, now }, path)).toEqual({ ...file, issuedFor: reason })
  })

  test('is no part of a link without it', () => {
    expect(verifyDownload({ secret, now }, pathOf(signDownload(grant)))).not.toHaveProperty('issuedFor')
  })

  test('makes another link, the same within an hour', () => {
    expect(link).toBe(signDownload({ ...grant, issuedFor, expiresAt: new Date('2026-03-01T12:00:00Z') }))
    expect(link).not.toBe(signDownload({ ...grant, issuedFor: 'something else' }))
    expect(link).not.toBe(signDownload(grant))
  })

  test('is signed: no character of it changes, and it cannot be left out', () => {
    const flip = (index: number) => token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1)
    for (let index = 0; index < token.length - 1; index++)
      expect(verifyDownload({ secret, now }, `/files/${flip(index)}/a.png`)).toBe('forged')
    const bytes = Buffer.from(token, 'base64url')
    const end = bytes.indexOf(';')
    const without = Buffer.concat([bytes.subarray(0, end), bytes.subarray(-32)]).toString('base64url')
    expect(verifyDownload({ secret, now }, `/files/${without}/a.png`)).toBe('forged')
  })

  test('is not taken from the media type of a file', () => {
    const contentType = 'image/png; issued-for=YQ'
    expect(verifyDownload({ secret, now }, pathOf(signDownload({ ...grant, contentType })))).toEqual({
      hash,
      name: 'a.png',
      contentType: 'image/png',
    })
  })

  test('is a parameter of the media type to those who do not know it', () => {
    const claims = Buffer.from(token, 'base64url').subarray(38, -32).toString()
    expect(claims).toMatch(/^image\/png; issued-for=[\w-]+$/)
  })
})

test('only a hash is signed', () => expect(() => signDownload({ ...grant, hash: '../x' })).toThrow('SHA-256'))

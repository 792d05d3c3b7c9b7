import type { Secrets } from '@recto/operation'
import { describe, expect, it } from '@jest/globals'
import { signDownload, signUpload, verifyUpload } from './index.ts'

const secret: Secrets = ['a secret of the installation']
const now = new Date('2026-01-02T03:04:05.000Z')
const grant = {
  secret,
  publicUrl: 'http://recto.test/',
  key: 'aKey',
  size: 5_000_000_000,
  expiresAt: new Date('2026-01-02T04:04:05.000Z'),
}
const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)
const verify = (token: string, at = now) => verifyUpload({ secret, now: at }, token)

describe('an upload URL', () => {
  it('grants the upload until it expires', () => {
    const url = signUpload(grant)
    expect(url).toMatch(/^http:\/\/recto\.test\/uploads\/[\w-]+$/)
    expect(verify(tokenOf(url))).toEqual({ key: 'aKey', size: 5_000_000_000 })
    expect(verify(tokenOf(url), new Date(grant.expiresAt.getTime() - 1))).toMatchObject({ key: 'aKey' })
    expect(verify(tokenOf(url), grant.expiresAt)).toBe('expired')
  })

  it.each([
    ['nothing', '', 'malformed'],
    ['too little', 'YWJj', 'malformed'],
    ['other characters', `${tokenOf(signUpload(grant))}=`, 'malformed'],
    ['another secret', tokenOf(signUpload({ ...grant, secret: ['another'] })), 'forged'],
    ['a changed byte', tokenOf(signUpload(grant)).replace(/^./, 'B'), 'forged'],
    ['a download', downloadToken(), 'forged'],
  ])('with %s is refused', (_what, token, fault) => {
    expect(verify(token)).toBe(fault)
  })
})

function downloadToken(): string {
  const file = { hash: '0'.repeat(64), name: 'a', contentType: 'text/plain' }
  return (
    signDownload({ ...grant, ...file })
      .split('/')
      .at(-2) ?? ''
  )
}

import { createHmac } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { matchesSignature, readPush, signatureOf } from './webhook.rules.ts'

const secret = 'a-secret-of-a-webhook'
const ref = 'refs/heads/main'
const after = 'c0ffee'.padEnd(40, '0')
const push = JSON.stringify({ ref, before: '0'.repeat(40), after, commits: [] })
const hmac = (text: string, key = secret) => createHmac('sha256', key).update(text).digest('hex')

describe('Signatures', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['the signature of GitHub', { 'x-hub-signature-256': `sha256=${hmac(push)}` }, true],
    ['the signature of Gitea', { 'x-gitea-signature': hmac(push) }, true],
    ['the signature of Forgejo', { 'x-forgejo-signature': hmac(push) }, true],
    ['the token of GitLab', { 'x-gitlab-token': secret }, true],
    [
      'both signatures of Forgejo',
      { 'x-gitea-signature': hmac(push), 'x-hub-signature-256': `sha256=${hmac(push)}` },
      true,
    ],
    ['a signature by another secret', { 'x-hub-signature-256': `sha256=${hmac(push, 'other')}` }, false],
    ['a signature of other bytes', { 'x-hub-signature-256': `sha256=${hmac(`${push}\n`)}` }, false],
    ['a signature without its algorithm', { 'x-hub-signature-256': hmac(push) }, false],
    ['a signature in the header of another provider', { 'x-gitlab-token': hmac(push) }, false],
    ['the secret in the header of another provider', { 'x-gitea-signature': secret }, false],
    ['an empty signature', { 'x-gitea-signature': '' }, false],
    ['no signature', {}, false],
  ])('A webhook with %s is verified', (_case, headers, expected) =>
    expect(matchesSignature(secret, headers, signatureOf(secret, Buffer.from(push)))).toBe(expected),
  )

  it.each([['the published example of GitHub', "It's a Secret to Everybody", 'Hello, World!']])(
    'A webhook with %s is verified',
    (_case, key, body) => {
      const published = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
      expect(matchesSignature(key, { 'x-hub-signature-256': published }, signatureOf(key, Buffer.from(body)))).toBe(
        true,
      )
    },
  )
})

const form = `payload=${encodeURIComponent(push)}`
const removed = JSON.stringify({ ref, after: '0'.repeat(40) })

describe('readPush', () => {
  it.each<[string, Record<string, string>, string, object]>([
    ['a push of GitHub', { 'x-github-event': 'push' }, push, { commit: after }],
    ['a push of GitHub in a form', { 'x-github-event': 'push' }, form, { commit: after }],
    ['a push of Gitea', { 'x-gitea-event': 'push' }, push, { commit: after }],
    ['a push of Forgejo', { 'x-forgejo-event': 'push' }, push, { commit: after }],
    ['a push of GitLab', { 'x-gitlab-event': 'Push Hook' }, push, { commit: after }],
    ['a ping', { 'x-github-event': 'ping' }, '{"zen": "x"}', { ignored: expect.stringContaining('works') }],
    ['another event', { 'x-github-event': 'issues' }, '{}', { ignored: expect.stringContaining('Only pushes') }],
    ['a tag of GitLab', { 'x-gitlab-event': 'Tag Push Hook' }, push, { ignored: expect.any(String) }],
    ['no event', {}, push, { ignored: expect.any(String) }],
    [
      'another branch',
      { 'x-github-event': 'push' },
      push.replace('main', 'other'),
      { ignored: expect.stringContaining('another') },
    ],
    ['a deleted branch', { 'x-github-event': 'push' }, removed, { ignored: expect.stringContaining('deleted') }],
    [
      'a branch said to be deleted',
      { 'x-github-event': 'push' },
      JSON.stringify({ ref, after, deleted: true }),
      { ignored: expect.stringContaining('deleted') },
    ],
  ])('A webhook with %s is understood', (_case, headers, body, expected) =>
    expect(readPush(headers, Buffer.from(body), ref)).toEqual(expected),
  )

  it.each(['', 'nonsense', '[]', '{"ref": 5}', 'payload=', '\u0000'])('A webhook with the body %j is refused', body => {
    expect(() => readPush({ 'x-github-event': 'push' }, Buffer.from(body), ref)).toThrow(/must be the JSON of a push/)
  })
})

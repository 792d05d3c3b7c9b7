import { createHmac } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { answerPurge } from './purge-requests.ts'

const secret = 'a secret'
const body = '{"tags":["site:1"]}'
const signed = createHmac('sha256', secret).update(body).digest('hex')

test.each([
  ['a signature of the secret', { secret, body, signature: signed }, 200],
  ['a signature in upper case', { secret, body, signature: signed.toUpperCase() }, 200],
  ['no signature', { secret, body, signature: undefined }, 401],
  ['an empty signature', { secret, body, signature: '' }, 401],
  ['another body', { secret, body: `${body} `, signature: signed }, 401],
  ['another secret', { secret: 'another', body, signature: signed }, 401],
  ['half a signature', { secret, body, signature: signed.slice(0, 32) }, 401],
  ['more than a signature', { secret, body, signature: `${signed}00` }, 401],
  ['no hexadecimal', { secret, body, signature: 'z'.repeat(64) }, 401],
  ['a reader without a secret', { secret: undefined, body, signature: signed }, 401],
  [
    'a reader without a secret, and a signature of nothing',
    { secret: undefined, body, signature: createHmac('sha256', '').update(body).digest('hex') },
    401,
  ],
])('a notification with %s', (_what, { secret, body, signature }, status) => {
  const purged: (readonly string[])[] = []
  const answer = answerPurge({ body, signature }, { secret, forget: tags => void purged.push(tags) })
  expect([answer.status, purged]).toEqual([status, status === 200 ? [['site:1']] : []])
})

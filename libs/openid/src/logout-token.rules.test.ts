import { expect, it } from '@jest/globals'
import { endedSession } from './logout-token.rules.ts'

const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const claims = { jti: 'one', events, sid: 's', sub: 'ada' }

it.each<[string, Record<string, unknown>, ReturnType<typeof endedSession>]>([
  ['ends a session of a user', {}, { tokenId: 'one', sub: 'ada', sid: 's' }],
  ['ends a session', { sub: undefined }, { tokenId: 'one', sub: undefined, sid: 's' }],
  ['ends all sessions of a user', { sid: undefined }, { tokenId: 'one', sub: 'ada', sid: undefined }],
  [
    'with further events ends a session',
    { events: { ...events, other: {} } },
    { tokenId: 'one', sub: 'ada', sid: 's' },
  ],
  [
    'with an event that has members ends a session',
    { events: { [Object.keys(events)[0] ?? '']: { a: 1 } } },
    { tokenId: 'one', sub: 'ada', sid: 's' },
  ],
  ['without jti is refused', { jti: undefined }, 'structure'],
  ['with an empty jti is refused', { jti: '' }, 'structure'],
  ['with a jti of 256 characters is refused', { jti: 'x'.repeat(256) }, 'structure'],
  ['with a nonce is refused', { nonce: 'n' }, 'nonce'],
  ['with an empty nonce is refused', { nonce: null }, 'nonce'],
  ['without events is refused', { events: undefined }, 'events'],
  ['with another event is refused', { events: { 'http://schemas.openid.net/event/other': {} } }, 'events'],
  ['whose event is no object is refused', { events: { [Object.keys(events)[0] ?? '']: true } }, 'events'],
  ['whose events are a list is refused', { events: Object.keys(events) }, 'events'],
  ['without sid and sub is refused', { sid: undefined, sub: undefined }, 'subject'],
  ['whose sid is no text is refused', { sid: 7 }, 'subject'],
  ['whose sub is empty is refused', { sub: '' }, 'subject'],
])('A logout token %s', (_case, change, expected) => {
  expect(endedSession({ ...claims, ...change })).toEqual(expected)
})

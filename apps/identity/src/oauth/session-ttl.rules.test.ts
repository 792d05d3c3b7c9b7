import { expect, it } from '@jest/globals'
import { sessionTtl } from './session-ttl.rules.ts'

const lifetimes = { sessionIdle: 3_600, session: 43_200 }

it.each([
  ['a session in which nobody is signed in', undefined, 3_600],
  ['one of now', 1_000_000, 3_600],
  ['one of two hours ago', 1_000_000 - 7_200, 3_600],
  ['one that ends in half an hour', 1_000_000 - 41_400, 1_800],
  ['one that is over', 1_000_000 - 50_000, 1],
])('The lifetime of %s', (_case, loginTs, ttl) => expect(sessionTtl(loginTs, 1_000_000, lifetimes)).toBe(ttl))

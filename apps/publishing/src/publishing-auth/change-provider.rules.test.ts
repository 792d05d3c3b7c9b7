import { expect, it } from '@jest/globals'
import { changeProvider } from './change-provider.rules.ts'

const sealing = {
  seal: (secret: string) => Buffer.from(`sealed ${secret}`),
  isStored: (secret: string) => secret === 's',
}
const { seal } = sealing
const change = { issuer: 'https://login.test', clientId: 'docs', scopes: ['email'] }
const before = {
  siteId: 'site',
  version: 'first',
  issuer: 'https://login.test',
  clientId: 'docs',
  clientSecret: seal('s'),
  scopes: ['email'],
  claims: null,
}

it.each<[string, object, { isChanged: boolean; endsSessions: boolean; secret: Buffer | null }]>([
  ['nothing else', {}, { isChanged: false, endsSessions: false, secret: seal('s') }],
  ['the same secret', { clientSecret: 's' }, { isChanged: false, endsSessions: false, secret: seal('s') }],
  ['other scopes', { scopes: [] }, { isChanged: true, endsSessions: false, secret: seal('s') }],
  ['another secret', { clientSecret: 't' }, { isChanged: true, endsSessions: false, secret: seal('t') }],
  ['a public client', { clientSecret: null }, { isChanged: true, endsSessions: false, secret: null }],
  ['other claims', { claims: { plan: 'plan' } }, { isChanged: true, endsSessions: true, secret: seal('s') }],
  [
    'another client, with its secret',
    { clientId: 'other', clientSecret: 't' },
    { isChanged: true, endsSessions: true, secret: seal('t') },
  ],
])('A change to %s', (_title, fields, { isChanged, endsSessions, secret }) => {
  const changed = changeProvider('site', before, { change: { ...change, ...fields }, ...sealing })
  expect([changed.isChanged, changed.endsSessions, changed.row?.clientSecret]).toEqual([
    isChanged,
    endsSessions,
    secret,
  ])
  expect(changed.row?.version === 'first').toBe(!isChanged)
})

it.each([
  ['the first provider', undefined, {}],
  ['another issuer', before, { issuer: 'https://evil.test' }],
  ['another client', before, { clientId: 'other' }],
])('The secret must be given with %s', (_title, stored, fields) => {
  expect(() => changeProvider('site', stored, { change: { ...change, ...fields }, ...sealing })).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      details: [expect.objectContaining({ path: 'body.oidc.clientSecret' })],
    }),
  )
})

it('A provider that is removed ends the sessions of its visitors', () => {
  expect(changeProvider('site', before, { change: null, ...sealing })).toMatchObject({
    row: null,
    isChanged: true,
    endsSessions: true,
  })
  expect(changeProvider('site', undefined, { change: null, ...sealing })).toMatchObject({ row: null, isChanged: false })
})

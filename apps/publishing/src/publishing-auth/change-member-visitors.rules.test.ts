import { expect, it } from '@jest/globals'
import { changeMemberVisitors, requireOneWay } from './change-member-visitors.rules.ts'

const oidcField = 'body.oidc'
const membersField = 'body.members'

it.each<[boolean, boolean, object | null | undefined, object | null | undefined, string | undefined]>([
  [false, false, undefined, {}, undefined],
  [false, false, {}, undefined, undefined],
  [false, false, {}, {}, membersField],
  [true, false, undefined, {}, membersField],
  [true, false, {}, {}, membersField],
  [true, false, null, {}, undefined],
  [true, false, undefined, null, undefined],
  [true, false, undefined, undefined, undefined],
  [false, true, {}, undefined, oidcField],
  [false, true, {}, {}, membersField],
  [false, true, {}, null, undefined],
  [false, true, null, undefined, undefined],
  [false, true, undefined, {}, undefined],
])(
  'With a provider %j and members %j stored, oidc %j and members %j is refused at %s',
  (hasProvider, hasMembers, oidc, members, field) => {
    const decide = () => {
      requireOneWay({
        oidc: { isStored: hasProvider, change: oidc },
        members: { isStored: hasMembers, change: members },
      })
    }
    if (field === undefined) expect(decide).not.toThrow()
    else
      expect(decide).toThrow(
        expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path: field })] }),
      )
  },
)

const before = { siteId: 'site', version: 'first', claims: null }

it.each<[string, typeof before | undefined, object | null, { isChanged: boolean; endsSessions: boolean }]>([
  ['lets members in', undefined, {}, { isChanged: true, endsSessions: false }],
  ['changes nothing', before, {}, { isChanged: false, endsSessions: false }],
  ['maps claims', before, { claims: { mail: 'email' } }, { isChanged: true, endsSessions: true }],
  ['ends it', before, null, { isChanged: true, endsSessions: true }],
  ['ends nothing', undefined, null, { isChanged: false, endsSessions: false }],
])('A request that %s', (_title, stored, change, expected) => {
  const changed = changeMemberVisitors('site', stored, change)
  expect(changed).toMatchObject(expected)
  if (changed.row) expect(changed.row.version === 'first').toBe(!changed.isChanged)
})

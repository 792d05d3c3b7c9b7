import { describe, expect, it } from '@jest/globals'
import { planTeamChange, type KnownPeople, type TeamChange, type TeamPlan } from './team-change.rules.ts'

const people: KnownPeople = {
  members: new Set(['ada', 'bob', 'cyd']),
  byEmail: new Map([
    ['ada@recto.test', 'ada'],
    ['bob@recto.test', 'bob'],
    ['cyd@recto.test', 'cyd'],
  ]),
  current: [
    { userId: 'ada', role: 'owner' },
    { userId: 'bob', role: 'member' },
  ],
}
const nothing: TeamPlan = { set: [], remove: [], invite: [], withdraw: [] }
const owner = { role: 'owner' } as const
const member = { role: 'member' } as const

const cases: [string, Partial<TeamChange>, Partial<TeamPlan>][] = [
  ['nothing', {}, {}],
  ['adds by id', { add: ['cyd'] }, { set: [{ userId: 'cyd', role: 'member' }] }],
  ['adds by e-mail, in any case', { add: ['CYD@Recto.test'] }, { set: [{ userId: 'cyd', role: 'member' }] }],
  [
    'adds once who is named by id and e-mail',
    { add: ['cyd', 'cyd@recto.test'] },
    { set: [{ userId: 'cyd', role: 'member' }] },
  ],
  ['adding who is in the team leaves their role', { add: ['ada', 'bob'] }, {}],
  ['removes by id', { remove: ['bob'] }, { remove: ['bob'] }],
  ['removes by e-mail', { remove: ['Bob@recto.test'] }, { remove: ['bob'], withdraw: [] }],
  ['removing who is not in the team is no fault', { remove: ['cyd', 'nobody'] }, {}],
  ['remove wins over add', { add: ['bob', 'cyd'], remove: ['cyd@recto.test', 'bob'] }, { remove: ['bob'] }],
  ['remove wins over memberships', { memberships: { 'cyd@recto.test': owner }, remove: ['cyd'] }, {}],
  ['memberships set a role', { memberships: { bob: owner } }, { set: [{ userId: 'bob', role: 'owner' }] }],
  ['memberships lower a role', { memberships: { ada: member } }, { set: [{ userId: 'ada', role: 'member' }] }],
  ['memberships that hold already change nothing', { memberships: { ada: owner } }, {}],
  ['memberships add who is missing', { memberships: { cyd: owner } }, { set: [{ userId: 'cyd', role: 'owner' }] }],
  [
    'memberships decide the role of who is added',
    { add: ['cyd'], memberships: { 'cyd@recto.test': owner } },
    { set: [{ userId: 'cyd', role: 'owner' }] },
  ],
  [
    'an e-mail without a user is invited',
    { add: ['New@recto.test'] },
    { invite: [{ email: 'new@recto.test', role: 'member', keepsRole: true }] },
  ],
  [
    'an e-mail without a user is invited with its role',
    { add: ['new@recto.test'], memberships: { 'NEW@recto.test': owner } },
    { invite: [{ email: 'new@recto.test', role: 'owner', keepsRole: false }] },
  ],
  [
    'removing an e-mail without a user deletes its invite',
    { add: ['new@recto.test'], remove: ['New@Recto.test'] },
    { withdraw: ['new@recto.test'] },
  ],
]

describe('planTeamChange', () => {
  it.each(cases)('%s', (_case, change, plan) => {
    expect(planTeamChange({ add: [], remove: [], memberships: {}, ...change }, people)).toEqual({ ...nothing, ...plan })
  })

  it('refuses unknown user ids and names each of them', () => {
    const change = { add: ['ada', 'eve'], remove: ['mallory'], memberships: { eve2: owner, mallory: owner } }
    const refused = expect.objectContaining({
      code: 'not_found',
      details: [
        { path: 'body.add.1', message: expect.any(String) },
        { path: 'body.memberships.eve2', message: expect.any(String) },
      ],
    })
    expect(() => planTeamChange(change, people)).toThrow(refused)
  })
})

import type { Role } from '@recto/actor'
import { expect, it } from '@jest/globals'
import { countSites } from './count-sites.rules.ts'

const sites = [
  { id: 'open', isOpen: true },
  { id: 'also-open', isOpen: true },
  { id: 'closed', isOpen: false },
  { id: 'more-closed', isOpen: false },
]
const grants = [
  { subject: 'user' as const, subjectId: 'ada', siteId: 'open' },
  { subject: 'user' as const, subjectId: 'ada', siteId: 'closed' },
  { subject: 'team' as const, subjectId: 'team', siteId: 'closed' },
  { subject: 'team' as const, subjectId: 'team', siteId: 'more-closed' },
]

it.each<[string, string, Role | null, string[], number]>([
  ['an admin sees all', 'bob', 'admin', [], 4],
  ['a member sees what is open', 'bob', 'read', [], 2],
  ['a member sees what they were granted, once', 'ada', 'read', [], 3],
  ['a member sees what their team was granted', 'bob', 'read', ['team'], 4],
  ['a grant to both counts once', 'ada', 'read', ['team'], 4],
  ['a guest sees what they were granted', 'ada', null, [], 2],
  ['a guest without a grant sees nothing', 'bob', null, ['other'], 0],
])('%s', (_title, user, role, teams, expected) => {
  expect(countSites([{ user, role, teams }], { sites, grants })).toEqual({ [user]: expected })
})

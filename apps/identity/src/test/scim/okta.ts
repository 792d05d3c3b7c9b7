import { expect } from '@jest/globals'
import { filter, patch, stepsOf, type Ids, type Step } from './steps.ts'

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** The user that Okta sends. */
export const ann = {
  schemas: [userSchema],
  userName: 'ann@okta.test',
  name: { givenName: 'Ann', familyName: 'Runscope' },
  emails: [{ primary: true, value: 'ann@okta.test', type: 'work' }],
  displayName: 'Ann Runscope',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
}
const { password: _password, groups: _groups, ...annAsKept } = ann

/** The requests that Okta documents, in the order of its test of an endpoint and of its tests of users and groups. */
export function oktaSteps(ids: Ids): Step[] {
  const user = () => `/Users/${ids['user']}`
  const group = () => `/Groups/${ids['group']}`
  const users = stepsOf([
    [
      'the first page of users',
      () => ({ path: '/Users?startIndex=1&count=1' }),
      200,
      () => ({
        schemas: [listSchema],
        itemsPerPage: 1,
        startIndex: 1,
        totalResults: expect.any(Number),
        Resources: [{ id: expect.any(String), userName: expect.any(String), active: true, emails: [{}] }],
      }),
    ],
    [
      'a user name that nobody has',
      () => ({ path: `/Users?${filter('userName eq "no@okta.test"')}` }),
      200,
      () => ({ totalResults: 0, Resources: [] }),
    ],
    [
      'an id that nobody has',
      () => ({ path: '/Users/00000000-0000' }),
      404,
      () => ({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '404',
        detail: expect.stringMatching(/./),
      }),
    ],
    ['a new user', () => ({ method: 'POST', path: '/Users', body: ann }), 201, () => annAsKept, 'user'],
    ['the new user', () => ({ path: user() }), 200, () => annAsKept],
    [
      'the same user again',
      () => ({ method: 'POST', path: '/Users', body: ann }),
      409,
      () => ({ scimType: 'uniqueness', status: '409' }),
    ],
    [
      'the user name in capitals',
      () => ({ path: `/Users?${filter('userName eq "ANN@OKTA.TEST"')}&startIndex=1&count=100` }),
      200,
      () => ({ totalResults: 1, Resources: [{ id: ids['user'] }] }),
    ],
    [
      'a change by PUT',
      () => ({
        method: 'PUT',
        path: user(),
        body: {
          ...ann,
          id: ids['user'],
          name: { givenName: 'Anna', familyName: 'Runscope' },
          displayName: 'Anna Runscope',
          meta: { resourceType: 'User' },
        },
      }),
      200,
      () => ({ displayName: 'Anna Runscope', name: { givenName: 'Anna' } }),
    ],
    [
      'a deactivation',
      () => ({ path: user(), ...patch({ op: 'replace', value: { active: false } }) }),
      200,
      () => ({ active: false }),
    ],
    ['the deactivated user', () => ({ path: user() }), 200, () => ({ active: false, name: { givenName: 'Anna' } })],
    [
      'a reactivation',
      () => ({ path: user(), ...patch({ op: 'replace', value: { active: true } }) }),
      200,
      () => ({ active: true }),
    ],
  ])
  const groups = stepsOf([
    [
      'the groups',
      () => ({ path: '/Groups?startIndex=1&count=100' }),
      200,
      () => ({ schemas: [listSchema], totalResults: 0 }),
    ],
    [
      'a new group',
      () => ({
        method: 'POST',
        path: '/Groups',
        body: { schemas: [groupSchema], displayName: 'Test SCIMv2', members: [] },
      }),
      201,
      () => ({ displayName: 'Test SCIMv2', members: [] }),
      'group',
    ],
    [
      'a member',
      () => ({
        path: group(),
        ...patch({ op: 'add', path: 'members', value: [{ value: ids['user'], display: 'ann@okta.test' }] }),
      }),
      204,
    ],
    [
      'the group',
      () => ({ path: group() }),
      200,
      () => ({ members: [{ value: ids['user'], display: 'Anna Runscope' }] }),
    ],
    [
      'another name',
      () => ({
        path: group(),
        ...patch({ op: 'replace', value: { id: ids['group'], displayName: 'Renamed SCIMv2' } }),
      }),
      204,
    ],
    [
      'another member and none',
      () => ({
        path: group(),
        ...patch(
          { op: 'remove', path: `members[value eq "${ids['user']}"]` },
          { op: 'add', path: 'members', value: [{ value: ids['user'] }] },
        ),
      }),
      204,
    ],
    [
      'all members at once',
      () => ({
        path: group(),
        ...patch({ op: 'replace', path: 'members', value: [{ value: ids['user'], display: 'ann' }] }),
      }),
      204,
    ],
    [
      'a group by PUT',
      () => ({
        method: 'PUT',
        path: group(),
        body: {
          schemas: [groupSchema],
          id: ids['group'],
          displayName: 'Test SCIMv2',
          members: [{ value: ids['user'], display: 'ann' }],
        },
      }),
      200,
      () => ({ displayName: 'Test SCIMv2', members: [{ value: ids['user'] }] }),
    ],
    [
      'the group by its name',
      () => ({ path: `/Groups?${filter('displayName eq "Test SCIMv2"')}` }),
      200,
      () => ({ totalResults: 1 }),
    ],
    [
      'the groups of the user',
      () => ({ path: user() }),
      200,
      () => ({ groups: [{ value: ids['group'], display: 'Test SCIMv2' }] }),
    ],
    ['the end of the group', () => ({ method: 'DELETE', path: group() }), 204],
    ['the group that is gone', () => ({ path: group() }), 404],
  ])
  return [...users, ...groups]
}

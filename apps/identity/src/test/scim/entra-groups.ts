import { filter, patch, stepsOf, type Ids, type Step } from './steps.ts'

const group = {
  schemas: [
    'urn:ietf:params:scim:schemas:core:2.0:Group',
    'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
  ],
  externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
  displayName: 'displayName',
  meta: { resourceType: 'Group' },
}

/** The requests for groups that Microsoft documents for its provisioning service, up to the end of the user. */
export function entraGroupSteps(ids: Ids): Step[] {
  const userPath = () => `/Users/${ids['user']}`
  const groupPath = () => `/Groups/${ids['group']}`
  return stepsOf([
    [
      'a new group',
      () => ({ method: 'POST', path: '/Groups', body: group }),
      201,
      () => ({ displayName: 'displayName', externalId: group.externalId, members: [] }),
      'group',
    ],
    [
      'the same group twice',
      () => ({ method: 'POST', path: '/Groups', body: group }),
      409,
      () => ({ scimType: 'uniqueness' }),
    ],
    [
      'the group without members',
      () => ({ path: `${groupPath()}?excludedAttributes=members` }),
      200,
      () => ({ id: ids['group'] }),
    ],
    [
      'the group by its name',
      () => ({ path: `/Groups?excludedAttributes=members&${filter('displayName eq "displayName"')}` }),
      200,
      () => ({ totalResults: 1, Resources: [{ id: ids['group'] }] }),
    ],
    [
      'another name',
      () => ({
        path: groupPath(),
        ...patch({ op: 'Replace', path: 'displayName', value: '1879db59-3bdf-4490-ad68-ab880a269474' }),
      }),
      204,
    ],
    [
      'a member',
      () => ({
        path: groupPath(),
        ...patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: ids['user'] }] }),
      }),
      204,
    ],
    [
      'whether a user is a member',
      () => ({
        path: `/Groups?excludedAttributes=members&${filter(`id eq "${ids['group']}" and members eq "${ids['user']}"`)}`,
      }),
      200,
      () => ({ totalResults: 1 }),
    ],
    [
      'the end of a membership',
      () => ({
        path: groupPath(),
        ...patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: ids['user'] }] }),
      }),
      204,
    ],
    [
      'whether a user is a member no more',
      () => ({ path: `/Groups?${filter(`id eq "${ids['group']}" and members.value eq "${ids['user']}"`)}` }),
      200,
      () => ({ totalResults: 0 }),
    ],
    ['the end of the group', () => ({ method: 'DELETE', path: groupPath() }), 204],
    ['the end of the group again', () => ({ method: 'DELETE', path: groupPath() }), 404],
    ['the end of the user', () => ({ method: 'DELETE', path: userPath() }), 204],
    ['the end of the user again', () => ({ method: 'DELETE', path: userPath() }), 404],
  ])
}

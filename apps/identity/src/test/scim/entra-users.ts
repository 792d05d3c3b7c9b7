import { expect } from '@jest/globals'
import { filter, patch, stepsOf, type Ids, type Step } from './steps.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const bob = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName: 'bob_ab6490ee@testuser.com',
  active: true,
  emails: [{ primary: true, type: 'work', value: 'bob_fd0ea19b@testuser.com' }],
  meta: { resourceType: 'User' },
  name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
  roles: [],
  [enterprise]: { employeeNumber: '42', department: 'bob' },
}

/** The requests for users that Microsoft documents for its provisioning service, with the forms of its validator. */
export function entraUserSteps(ids: Ids): Step[] {
  const userPath = () => `/Users/${ids['user']}`
  return stepsOf([
    [
      'a test of the connection',
      () => ({ path: `/Users?${filter('userName eq "2b2ab7a1-non-existing"')}` }),
      200,
      () => ({ totalResults: 0, Resources: [], startIndex: 1 }),
    ],
    [
      'a new user',
      () => ({ method: 'POST', path: '/Users', body: bob }),
      201,
      () => ({ ...bob, roles: [{ value: 'read' }] }),
      'user',
    ],
    [
      'the user by id',
      () => ({ path: userPath() }),
      200,
      () => ({ userName: bob.userName, externalId: bob.externalId }),
    ],
    [
      'the user by userName',
      () => ({ path: `/Users?${filter(`userName eq "${bob.userName}"`)}` }),
      200,
      () => ({ totalResults: 1, Resources: [{ id: ids['user'], externalId: bob.externalId }] }),
    ],
    [
      'the user by externalId',
      () => ({ path: `/Users?${filter(`externalId eq "${bob.externalId}"`)}` }),
      200,
      () => ({ totalResults: 1 }),
    ],
    [
      'the user by an e-mail of a type',
      () => ({ path: `/Users?${filter('emails[type eq "work"].value eq "bob_fd0ea19b@testuser.com"')}` }),
      200,
      () => ({ totalResults: 1 }),
    ],
    [
      'a user whom there is not',
      () => ({ path: '/Users/5171a35d82074e068ce2' }),
      404,
      () => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404', detail: expect.any(String) }),
    ],
    [
      'the same user twice',
      () => ({ method: 'POST', path: '/Users', body: bob }),
      409,
      () => ({ scimType: 'uniqueness' }),
    ],
    [
      'several values',
      () => ({
        path: userPath(),
        ...patch(
          { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@contoso.com' },
          { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        ),
      }),
      200,
      () => ({
        emails: [{ value: 'updatedEmail@contoso.com', type: 'work', primary: true }],
        name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
      }),
    ],
    [
      'another userName',
      () => ({
        path: userPath(),
        ...patch({ op: 'Replace', path: 'userName', value: '5b50642d-79fc-4410@contoso.com' }),
      }),
      200,
      () => ({ userName: '5b50642d-79fc-4410@contoso.com' }),
    ],
    [
      'values of an extension',
      () => ({
        path: userPath(),
        ...patch(
          { op: 'Add', path: `${enterprise}:department`, value: 'Sales' },
          { op: 'Add', path: `${enterprise}:manager`, value: 'boss-id' },
        ),
      }),
      200,
      () => ({ [enterprise]: { department: 'Sales', employeeNumber: '42', manager: { value: 'boss-id' } } }),
    ],
    [
      'values whose place is not there',
      () => ({
        path: userPath(),
        ...patch(
          { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555' },
          { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Berlin' },
        ),
      }),
      200,
      () => ({
        phoneNumbers: [{ type: 'mobile', value: '+1 555' }],
        addresses: [{ type: 'work', locality: 'Berlin' }],
      }),
    ],
    [
      'values by dotted names in an object',
      () => ({
        path: userPath(),
        ...patch({
          op: 'replace',
          value: {
            displayName: 'Bob',
            'name.givenName': 'Bobby',
            'emails[type eq "work"].value': 'bobby@contoso.com',
            [`${enterprise}:division`]: 'North',
          },
        }),
      }),
      200,
      () => ({
        displayName: 'Bob',
        name: { givenName: 'Bobby', familyName: 'updatedFamilyName' },
        emails: [{ value: 'bobby@contoso.com' }],
        [enterprise]: { division: 'North' },
      }),
    ],
    [
      'a role as JSON',
      () => ({
        path: userPath(),
        ...patch({
          op: 'Add',
          path: 'roles[primary eq "True"].value',
          value: '{"id":"1","value":"edit","displayName":"Editor"}',
        }),
      }),
      200,
      () => ({ roles: [{ value: 'edit', primary: true }] }),
    ],
    [
      'a role in an array',
      () => ({
        path: userPath(),
        ...patch({ op: 'Add', path: 'roles', value: [{ value: '{"id":"1","value":"review"}' }] }),
      }),
      200,
      () => ({ roles: [{ value: 'edit' }] }),
    ],
    [
      'a value that goes',
      () => ({ path: userPath(), ...patch({ op: 'Remove', path: 'phoneNumbers[type eq "mobile"].value' }) }),
      200,
    ],
    [
      'a deactivation',
      () => ({ path: userPath(), ...patch({ op: 'Replace', path: 'active', value: 'False' }) }),
      200,
      () => ({ active: false }),
    ],
    [
      'an activation',
      () => ({ path: userPath(), ...patch({ op: 'Replace', path: 'active', value: 'True' }) }),
      200,
      () => ({ active: true }),
    ],
    [
      'a deactivation by an object',
      () => ({ path: userPath(), ...patch({ op: 'Replace', value: { active: false } }) }),
      200,
      () => ({ active: false }),
    ],
    [
      'an activation by a boolean',
      () => ({ path: userPath(), ...patch({ op: 'Replace', path: 'ACTIVE', value: true }) }),
      200,
      () => ({ active: true }),
    ],
  ])
}

import type { Role } from '@recto/actor'
import { expect } from '@jest/globals'
import { aCollection, aContent, aGrant, aSpace, type ContentSetup, organization } from './content-setup.ts'

type Client = ReturnType<ContentSetup['as']>
type Body = { role: Role | null; users?: string[]; teams?: string[] }

/** Content with users and teams who can get permissions. */
export async function aContentWithPeople(): Promise<ContentSetup> {
  const content = await aContent()
  for (const user of ['ada', 'bob', 'eve']) content.people.add({ organization, user, role: 'read' })
  content.people.add({ organization, user: 'guest', role: null })
  content.people.add({ organization, user: 'boss', role: 'admin' })
  content.people.add({ organization: 'another', user: 'foreigner', role: 'read' })
  for (const team of ['reds', 'blues']) content.people.addTeam(organization, team)
  content.people.addTeam('another', 'foreign team')
  return content
}

/** Expects each of these attempts to be rejected with this failure. */
export async function expectRefused(
  attempts: Promise<unknown>[],
  failure: { code: string; message?: string },
): Promise<void> {
  const outcomes = await Promise.allSettled(attempts)
  expect(outcomes).toEqual(attempts.map(() => ({ status: 'rejected', reason: expect.objectContaining(failure) })))
}

/** The operations on permissions of spaces and of collections under the same names, so that each case is tested on both. */
export function permissionOperations(content: () => ContentSetup) {
  return {
    space: {
      make: (changes: { parent?: string; defaultLevel?: null } = {}) => aSpace(content(), changes),
      grant: (space: string, to: { user?: string; team?: string; role: Role }) => aGrant(content(), { space, ...to }),
      invite: (client: Client, spaceId: string, body: Body) => client.inviteToSpace({ params: { spaceId }, body }),
      users: (client: Client, spaceId: string, query = {}) =>
        client.listUserPermissionsInSpace({ params: { spaceId }, query }),
      teams: (client: Client, spaceId: string, query = {}) =>
        client.listTeamPermissionsInSpace({ params: { spaceId }, query }),
      updateUser: (client: Client, spaceId: string, userId: string, body: { role?: Role | null }) =>
        client.updateUserPermissionInSpace({ params: { spaceId, userId }, body }),
      updateTeam: (client: Client, spaceId: string, teamId: string, body: { role?: Role | null }) =>
        client.updateTeamPermissionInSpace({ params: { spaceId, teamId }, body }),
      removeUser: (client: Client, spaceId: string, userId: string) =>
        client.removeUserFromSpace({ params: { spaceId, userId } }),
      removeTeam: (client: Client, spaceId: string, teamId: string) =>
        client.removeTeamFromSpace({ params: { spaceId, teamId } }),
      aggregate: (
        client: Client,
        spaceId: string,
        query: { role?: Role; limit?: number; page?: string | undefined } = {},
      ) => client.listPermissionsAggregateInSpace({ params: { spaceId }, query }),
    },
    collection: {
      make: (changes: { parent?: string; defaultLevel?: null } = {}) => aCollection(content(), changes),
      grant: (collection: string, to: { user?: string; team?: string; role: Role }) =>
        aGrant(content(), { collection, ...to }),
      invite: (client: Client, collectionId: string, body: Body) =>
        client.inviteToCollection({ params: { collectionId }, body }),
      users: (client: Client, collectionId: string, query = {}) =>
        client.listUserPermissionsInCollection({ params: { collectionId }, query }),
      teams: (client: Client, collectionId: string, query = {}) =>
        client.listTeamPermissionsInCollection({ params: { collectionId }, query }),
      updateUser: (client: Client, collectionId: string, userId: string, body: { role?: Role | null }) =>
        client.updateUserPermissionInCollection({ params: { collectionId, userId }, body }),
      updateTeam: (client: Client, collectionId: string, teamId: string, body: { role?: Role | null }) =>
        client.updateTeamPermissionInCollection({ params: { collectionId, teamId }, body }),
      removeUser: (client: Client, collectionId: string, userId: string) =>
        client.removeUserFromCollection({ params: { collectionId, userId } }),
      removeTeam: (client: Client, collectionId: string, teamId: string) =>
        client.removeTeamFromCollection({ params: { collectionId, teamId } }),
      aggregate: (
        client: Client,
        collectionId: string,
        query: { role?: Role; limit?: number; page?: string | undefined } = {},
      ) => client.listPermissionsAggregateInCollection({ params: { collectionId }, query }),
    },
  }
}

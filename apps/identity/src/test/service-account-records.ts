import { recordedCall, recordedOnce, type RecordedCall } from '@recto/testing'
import { added, fields, needle, type RecordedOrganization } from './recorded-organization.ts'

/** Calls about service accounts of an organization, with the changes that they record. */
export function serviceAccountCalls({ as, id, ids, keep, params }: RecordedOrganization): RecordedCall[] {
  const account = () => ({ ...params(), serviceAccountId: id('serviceAccount') })
  const create = async () => {
    const body = { name: needle, role: 'read' as const }
    await keep('serviceAccount', (await as('ada')).createServiceAccount({ params: params(), body }))
    ids['account'] = id('serviceAccount')
  }
  const issue = async () => {
    const body = { name: needle, scopes: ['space:read' as const] }
    await keep('token', (await as('ada')).createServiceAccountToken({ params: account(), body }))
  }
  const revoke = async () =>
    (await as('ada')).deleteServiceAccountToken({ params: { ...account(), tokenId: id('token') } })
  const issued = ['token.created', 'user:account token', { scopes: ['space:read'], expiresAt: null }] as const
  return [
    recordedCall('createServiceAccount', 'an account', create, added('account', 'read'), [
      'service-account.created',
      'serviceAccount',
      { role: 'read' },
    ]),
    ...recordedOnce(
      'updateServiceAccount',
      async () => (await as('ada')).updateServiceAccount({ params: account(), body: { name: `${needle} 2` } }),
      ['service-account.updated', 'serviceAccount', fields('name')],
    ),
    recordedCall('createServiceAccountToken', 'a token', issue, [...issued]),
    ...recordedOnce('deleteServiceAccountToken', revoke, ['token.deleted', 'user:account token']),
    recordedCall('createServiceAccountToken', 'another token', issue, [...issued]),
    ...recordedOnce(
      'deleteServiceAccount',
      async () => (await as('ada')).deleteServiceAccount({ params: account() }),
      ['token.deleted', 'user:account token'],
      ['member.removed', 'user:account', { role: 'read' }],
      ['service-account.deleted', 'serviceAccount'],
    ),
  ]
}

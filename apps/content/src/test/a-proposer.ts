import type { Role } from '@recto/actor'
import { anEditor, type Change } from './an-editor.ts'
import { type ContentSetup, organization } from './content-setup.ts'

/** An editor who proposes changes: creates change requests and changes their content. */
export function aProposer(setup: () => ContentSetup) {
  const editor = anEditor(setup)
  const as = (role: Role) => setup().as(role)
  return {
    ...editor,
    as,
    organization,
    propose: async (spaceId: string, subject = 'Changes') =>
      as('edit').createChangeRequest({ params: { spaceId }, body: { subject } }),
    /** Changes the content of a change request. */
    edit: async (changeRequest: { space: string; id: string }, ...changes: Change[]) => {
      const made = await as('edit').updateContentInChangeRequest({
        params: { spaceId: changeRequest.space, changeRequestId: changeRequest.id },
        query: { compat: 'false' },
        body: { changes },
      })
      if (!('changes' in made)) throw new Error('The reply does not name what was made')
      return { ...made, changes: made.changes.map(({ page }) => (typeof page === 'string' ? {} : { page })) }
    },
    get: (changeRequest: { space: string; id: string }, role: Role = 'edit') =>
      as(role).getChangeRequestById({ params: { spaceId: changeRequest.space, changeRequestId: changeRequest.id } }),
  }
}

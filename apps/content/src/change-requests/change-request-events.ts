import type { Actor } from '@recto/actor'
import { changeRequestEvents } from '@recto/contracts-content-bus'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { eventMetadata } from '../events/event-metadata.ts'
import type { ChangeRequestRow } from './change-request.entity.ts'

type Space = { id: string; organizationId: string }
type ChangeRequestOfEvent = Pick<ChangeRequestRow, 'id' | 'number'>

const metadata = (actor: Pick<Actor, 'userId'>, space: Space, { id, number }: ChangeRequestOfEvent) => ({
  ...eventMetadata(actor, space),
  space: space.id,
  changeRequest: id,
  number,
})

/** A change request as the record names it. */
export const subjectOf = ({ space, changeRequest }: Omit<ChangeRequestChange, 'actor'>) => ({
  organization: space.organizationId,
  space: space.id,
  changeRequest: changeRequest.id,
})

/** A change of a change request: the actor, the space and the change request. */
export interface ChangeRequestChange {
  actor: Pick<Actor, 'userId'>
  space: Space
  changeRequest: ChangeRequestOfEvent
}

/** Publishes that a change request was created. */
export function publishCreated(tx: Transaction, { actor, space, changeRequest }: ChangeRequestChange): Promise<void> {
  tx.record(recorded('change-request.created', subjectOf({ space, changeRequest })))
  return tx.publish(changeRequestEvents.changeRequestCreated, metadata(actor, space, changeRequest))
}

/** Publishes which fields of a change request changed. */
export function publishUpdated(
  tx: Transaction,
  { actor, space, changeRequest, fields }: ChangeRequestChange & { fields: string[] },
): Promise<void> {
  tx.record(recorded('change-request.updated', { ...subjectOf({ space, changeRequest }), details: { fields } }))
  return tx.publish(changeRequestEvents.changeRequestUpdated, { ...metadata(actor, space, changeRequest), fields })
}

/** Publishes that the status of a change request changed. */
export function publishStatusChanged(
  tx: Transaction,
  {
    actor,
    space,
    changeRequest,
    ...status
  }: ChangeRequestChange & { from: ChangeRequestRow['status']; to: ChangeRequestRow['status'] },
): Promise<void> {
  const subject = subjectOf({ space, changeRequest })
  tx.record(recorded('change-request.status.updated', { ...subject, details: status }))
  const payload = { ...metadata(actor, space, changeRequest), ...status }
  return tx.publish(changeRequestEvents.changeRequestStatusChanged, payload)
}

/** Publishes that the content of a change request changed. */
export function publishContentChanged(
  tx: Transaction,
  { actor, space, changeRequest, ...revisions }: ChangeRequestChange & { from: string; to: string },
): Promise<void> {
  const revision = { before: revisions.from, after: revisions.to }
  tx.record(recorded('change-request.content.updated', { ...subjectOf({ space, changeRequest }), revision }))
  const payload = { ...metadata(actor, space, changeRequest), ...revisions }
  return tx.publish(changeRequestEvents.changeRequestContentChanged, payload)
}

/** Publishes that a change request was merged, with the revisions of main content before and after. */
export function publishMerged(
  tx: Transaction,
  { actor, space, changeRequest, ...revisions }: ChangeRequestChange & { from: string; to: string },
): Promise<void> {
  const revision = { before: revisions.from, after: revisions.to }
  tx.record(recorded('change-request.merged', { ...subjectOf({ space, changeRequest }), revision }))
  const payload = { ...metadata(actor, space, changeRequest), revision: revisions.to }
  return tx.publish(changeRequestEvents.changeRequestMerged, payload)
}

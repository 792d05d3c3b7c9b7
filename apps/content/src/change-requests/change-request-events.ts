import type { Actor } from '@recto/actor'
import { changeRequestEvents } from '@recto/contracts-content-bus'
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

/** A change of a change request: the actor, the space and the change request. */
export interface ChangeRequestChange {
  actor: Pick<Actor, 'userId'>
  space: Space
  changeRequest: ChangeRequestOfEvent
}

/** Publishes that a change request was created. */
export function publishCreated(tx: Transaction, { actor, space, changeRequest }: ChangeRequestChange): Promise<void> {
  return tx.publish(changeRequestEvents.changeRequestCreated, metadata(actor, space, changeRequest))
}

/** Publishes which fields of a change request changed. */
export function publishUpdated(
  tx: Transaction,
  { actor, space, changeRequest, fields }: ChangeRequestChange & { fields: string[] },
): Promise<void> {
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
  const payload = { ...metadata(actor, space, changeRequest), ...status }
  return tx.publish(changeRequestEvents.changeRequestStatusChanged, payload)
}

/** Publishes that the content of a change request changed. */
export function publishContentChanged(
  tx: Transaction,
  { actor, space, changeRequest, ...revisions }: ChangeRequestChange & { from: string; to: string },
): Promise<void> {
  const payload = { ...metadata(actor, space, changeRequest), ...revisions }
  return tx.publish(changeRequestEvents.changeRequestContentChanged, payload)
}

/** Publishes that a change request was merged; `revision` is the revision of main content after the merge. */
export function publishMerged(
  tx: Transaction,
  { actor, space, changeRequest, revision }: ChangeRequestChange & { revision: string },
): Promise<void> {
  return tx.publish(changeRequestEvents.changeRequestMerged, { ...metadata(actor, space, changeRequest), revision })
}

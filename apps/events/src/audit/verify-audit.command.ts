import { Failure } from '@recto/operation'
import { tableLine, type AdminCommand } from '@recto/service'
import * as repository from '../record/events.repository.ts'
import { verifyChain } from './verify-chain.ts'

/** Checks the chains of organizations, of all unless ids are given, and prints a line for each; throws `conflict` when one is broken. */
export const verifyAudit: AdminCommand = async (ids, { db, print }) => {
  const organizations = ids.length > 0 ? ids : await repository.organizations(db)
  print(tableLine('organization', 'events', 'state'))
  let broken = 0
  for (const organization of organizations) {
    const { events, fault } = await verifyChain(db, organization)
    if (fault) broken += 1
    print(tableLine(organization, events, fault ? `event ${fault.sequence} is ${fault.fault}` : 'whole'))
  }
  if (broken > 0) throw new Failure('conflict', `The audit log of ${broken} organizations was changed outside of Recto`)
}

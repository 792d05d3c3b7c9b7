/** SQL of the sequence of the newest event of an organization; null for one without any. */
export function newestSequence(organization: string): string {
  return `(select last from event_sequences where organization_id = ${organization})`
}

/** A change as a service recorded it, without its time. */
export interface RecordedFact {
  number: number
  type: string
  organization: string
  subject: Record<string, string>
  details?: Record<string, unknown>
  actor?: { kind: string; id: string }
  operationId?: string
}

/** Runs a query in the database of a service. */
type Query = (sql: string, values: unknown[]) => Promise<{ payload: RecordedFact }[]>

/** Reads what a service has recorded since the last time: it waits in the outbox, because no test has the service of the record. */
export function recordReader(service: string, query: Query): () => Promise<RecordedFact[]> {
  const numbers = new Map<string, number>()
  return async () => {
    const rows = await query(
      `select payload from outbox where subject = $1 order by payload->>'organization', (payload->>'number')::int`,
      [`events.${service}.recorded`],
    )
    const facts = rows.map(({ payload }) => payload).filter(fact => fact.number > (numbers.get(fact.organization) ?? 0))
    for (const { organization, number } of facts) numbers.set(organization, number)
    return facts
  }
}

/** An expected change: its type, what it is about as `kind` or `kind:name of an id`, separated by spaces, and details. */
export type ExpectedChange = [type: string, about?: string, details?: object]

/** A call of an operation, and the changes that it records. */
export interface RecordedCall {
  operation: string
  what: string
  call(): Promise<unknown>
  expected: ExpectedChange[]
}

/** A call that records these changes. */
export function recordedCall(
  ...[operation, what, call, ...expected]: [string, string, RecordedCall['call'], ...ExpectedChange[]]
): RecordedCall {
  return { operation, what, call, expected }
}

/** A call that records these changes, and nothing when it is made once more. */
export function recordedOnce(
  ...[operation, call, ...expected]: [string, RecordedCall['call'], ...ExpectedChange[]]
): RecordedCall[] {
  return [
    { operation, what: 'a change', call, expected },
    { operation, what: 'the same once more', call, expected: [] },
  ]
}

/** Ids of what calls made, by names. */
export type NamedIds = Record<string, string>

/** Changes as they are compared: with the ids that they are about. */
export function expectedChanges(expected: readonly ExpectedChange[], ids: NamedIds) {
  return expected.map(([type, about = '', details]) => ({
    type,
    subject: Object.fromEntries(
      about.split(' ').flatMap(each => {
        const [kind = '', name = kind] = each.split(':')
        return each === '' ? [] : [[kind, ids[name] ?? name]]
      }),
    ),
    details,
  }))
}

/** The type of a change, what it is about, and details. */
export function briefly({ type, subject, details }: RecordedFact) {
  return { type, subject, details }
}

/** The names of the rows that record changes. */
export function recordingOperations(rows: object): string[] {
  return Object.keys(rows).filter(operation => typesOf(rows, operation).length > 0)
}

/** The types of changes that a row says it records. */
export function typesOf(rows: object, operation: string): readonly string[] {
  const row = (rows as Record<string, { records?: unknown }>)[operation]
  return Array.isArray(row?.records) ? (row.records as string[]) : []
}

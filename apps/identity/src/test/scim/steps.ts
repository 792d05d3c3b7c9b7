import type { ScimRequest } from './endpoint.ts'

/** A request that a client documents, and the reply that it expects; the id of the reply is remembered under a name. */
export interface Step {
  title: string
  request: () => ScimRequest
  status: number
  body: (() => object) | undefined
  remember: string | undefined
}

type StepRow = [title: string, request: Step['request'], status: number, body?: () => object, remember?: string]

/** Steps from their rows. */
export function stepsOf(rows: StepRow[]): Step[] {
  return rows.map(([title, request, status, body, remember]) => ({ title, request, status, body, remember }))
}

/** Ids of resources that steps made, by names. */
export type Ids = Record<string, string>

/** The query parameter of a filter. */
export const filter = (text: string) => `filter=${encodeURIComponent(text)}`

/** A PATCH with operations. */
export const patch = (...operations: object[]) => ({
  method: 'PATCH',
  body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations },
})

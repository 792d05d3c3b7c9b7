/** A request with a placeholder `{kind}` for each id. */
export interface Template {
  method: string
  path: string
  body?: unknown
  form?: Record<string, string>
}

/** The input of a test's request, with a placeholder `{kind}` for each id. */
export type SentInput = Pick<Template, 'body' | 'form'> & { query?: Record<string, string> }

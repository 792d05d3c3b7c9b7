/** A condition on the lexemes of a text, as Postgres's `tsquery` has them. */
export type TextQuery =
  | { lexeme: string; prefix?: boolean; weights?: string }
  | { all: TextQuery[] }
  | { any: TextQuery[] }
  | { phrase: TextQuery[] }

/** The text of a condition, for a parameter that is cast to `tsquery`: every lexeme is quoted, so that it is never read as an operator. */
export function renderQuery(query: TextQuery): string {
  if ('lexeme' in query) {
    const flags = `${query.prefix === true ? '*' : ''}${query.weights ?? ''}`
    return `'${query.lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${flags && `:${flags}`}`
  }
  if ('all' in query) return joinQueries(query.all, ' & ')
  if ('any' in query) return joinQueries(query.any, ' | ')
  return joinQueries(query.phrase, ' <-> ')
}

function joinQueries(queries: TextQuery[], operator: string): string {
  return `(${queries.map(renderQuery).join(operator)})`
}

/** The condition with other weights: `A` for titles, `B` for headings, `C` for paths and descriptions, `D` for text. */
export function withWeights(query: TextQuery, weights: string): TextQuery {
  if ('lexeme' in query) return { ...query, weights }
  if ('all' in query) return { all: query.all.map(one => withWeights(one, weights)) }
  if ('any' in query) return { any: query.any.map(one => withWeights(one, weights)) }
  return { phrase: query.phrase.map(one => withWeights(one, weights)) }
}

/** The lexemes of a condition. */
export function lexemesOf(query: TextQuery): { lexeme: string; prefix: boolean }[] {
  if ('lexeme' in query) return [{ lexeme: query.lexeme, prefix: query.prefix === true }]
  const inner = 'all' in query ? query.all : 'any' in query ? query.any : query.phrase
  return inner.flatMap(lexemesOf)
}

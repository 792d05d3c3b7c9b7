import { basename } from 'node:path'
import { placeOf, roomsOf } from './rooms.mjs'

const keyword = /\b(?:from|join|into|update|table|truncate|lock)\s+(?:only\s+)?"?([a-z_]+)"?/gi
const looksLikeSql = /\b(?:select|insert|update|delete|truncate|with|join)\b/i

/** Tables that a text of SQL names: behind a keyword, or as the owner of a column. */
export function tablesNamed(text, tables) {
  if (!looksLikeSql.test(text)) return []
  const behindKeyword = [...text.matchAll(keyword)].map(([, name]) => name)
  return tables.filter(table => behindKeyword.includes(table) || new RegExp(String.raw`\b${table}\.\w`).test(text))
}

/** The end of a text of SQL behind which the name of a table follows. */
const awaitsTable = /\b(?:from|join|into|update|table|truncate|lock)\s+(?:only\s+)?"?$/i

/** Whether an expression is a parameter of a function, a part of one, or a constant that was taken out of one. */
function isPassed(node, scope) {
  if (node.type === 'MemberExpression') return isPassed(node.object, scope)
  if (node.type === 'ConditionalExpression') return isPassed(node.consequent, scope) || isPassed(node.alternate, scope)
  if (node.type !== 'Identifier') return false
  const [definition] = variableOf(node.name, scope)?.defs ?? []
  if (definition?.type === 'Parameter') return true
  return definition?.type === 'Variable' && definition.node.init ? isPassed(definition.node.init, scope) : false
}

/** The variable that a name means in a scope. */
function variableOf(name, scope) {
  return scope && (scope.set.get(name) ?? variableOf(name, scope.upper))
}

/** Sources that may name tables: the others call their functions. */
const isData = path => /\.(?:repository|entity|projection|sql)\.ts$/.test(path)

const isModuleName = ({ parent }) => /^(?:Import|Export)/.test(parent.type)

/**
 * Every table has one owning room, and only its repositories name it: in SQL, or by importing its entity. SQL takes the name of no table
 * from an argument, so that no room reads what another one has named for it.
 */
export const tableOwner = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      owner: 'the table {{table}} belongs to {{owner}}: use a function of that room',
      passed: 'a statement names its tables itself: this name is an argument',
      repository: 'only repositories, entities, projections and *.sql.ts name a table: {{table}}',
    },
  },
  create(context) {
    const place = placeOf(context.filename)
    if (!place?.room) return {}
    const { tables } = roomsOf(place.app)
    const refuse = (node, table, owner) => {
      if (owner !== place.room) context.report({ node, messageId: 'owner', data: { table, owner } })
      else if (!isData(context.filename)) context.report({ node, messageId: 'repository', data: { table } })
    }
    const check = (node, text) => {
      for (const table of tablesNamed(text, Object.keys(tables))) refuse(node, table, tables[table])
    }
    const checkExpressions = ({ quasis, expressions }) => {
      if (!quasis.some(({ value }) => looksLikeSql.test(value.cooked ?? ''))) return
      for (const [at, expression] of expressions.entries()) {
        if (!awaitsTable.test(quasis[at].value.cooked ?? '')) continue
        if (isPassed(expression, context.sourceCode.getScope(expression)))
          context.report({ node: expression, messageId: 'passed' })
      }
    }
    return {
      Literal: node => typeof node.value === 'string' && !isModuleName(node) && check(node, node.value),
      TemplateLiteral(node) {
        check(node, node.quasis.map(({ value }) => value.cooked ?? '').join(' $ '))
        checkExpressions(node)
      },
      ImportDeclaration(node) {
        const imported = basename(node.source.value)
        if (!imported.endsWith('.entity.ts') || node.importKind === 'type') return
        const values = node.specifiers.filter(({ importKind }) => importKind !== 'type')
        const owner = placeOf(new URL(node.source.value, `file://${context.filename}`).pathname)?.room
        if (values.length > 0) refuse(node, imported, owner)
      },
    }
  },
}

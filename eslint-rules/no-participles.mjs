/** Participles that are no name of a thing. */
const participles = new Set(
  'asked found given kept known meant named opened placed received shown wanted written'.split(' '),
)

/** Whether the name is that of a property which is taken over: `const { known } = reply`. */
function isNameOfProperty({ parent }) {
  const property = parent.type === 'AssignmentPattern' ? parent.parent : parent
  return property.type === 'Property' && property.shorthand
}

/**
 * A variable, a parameter or a function has the noun of its thing: `page`, `existingRow`, `markdown`. Names of properties may be those of
 * the API, a table or a message, so they are free.
 */
export const noParticiples = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { participle: '`{{name}}` names no thing: use its noun, such as page, existingRow or markdown' },
  },
  create(context) {
    return {
      'Program:exit'() {
        for (const { variables } of context.sourceCode.scopeManager.scopes)
          for (const { name, defs } of variables) {
            const [own] = participles.has(name) ? defs.filter(({ type }) => type !== 'ImportBinding') : []
            if (own && !isNameOfProperty(own.name))
              context.report({ node: own.name, messageId: 'participle', data: { name } })
          }
      },
    }
  },
}

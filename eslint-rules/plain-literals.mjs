const wrappers = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])

/** An expression without what TypeScript says of its type. */
const unwrap = node => (node && wrappers.has(node.type) ? unwrap(node.expression) : node)

const isLiteral = node => ['ObjectExpression', 'ArrayExpression'].includes(unwrap(node)?.type)

/** Whether a list of values is taken apart that nobody else ever sees: `const [a, b] = [x, y]`. */
function isTakenApart(pattern, value) {
  const list = unwrap(value)
  if (pattern.type !== 'ArrayPattern' || list?.type !== 'ArrayExpression') return false
  const takesRest = pattern.elements.some(element => element?.type === 'RestElement')
  return !takesRest && !list.elements.some(element => element?.type === 'SpreadElement')
}

/** Whether a value needs what another target had before: `[a, b] = [b, a]`. */
function isSwap({ left, right }, textOf) {
  const mentions = (text, name) => new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(text)
  return left.elements.some(
    (target, at) =>
      target?.type === 'Identifier' &&
      unwrap(right).elements.some((value, other) => other !== at && value && mentions(textOf(value), target.name)),
  )
}

/**
 * A literal is written plainly. A literal that is spread into another one, and values that are made a list only to be taken apart, stand
 * there for the formatter, which would write one entry to a line.
 */
export const plainLiterals = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      spread: 'a spread literal has entries of its own: write them there, or see CONTRIBUTING.md for tables of data',
      apart: 'each value has a statement of its own; lists are taken apart where they come from elsewhere, or to swap',
    },
  },
  create(context) {
    const check = node => {
      if (isLiteral(node.argument)) context.report({ node, messageId: 'spread' })
    }
    return {
      SpreadElement: check,
      JSXSpreadAttribute: check,
      VariableDeclarator(node) {
        if (isTakenApart(node.id, node.init)) context.report({ node, messageId: 'apart' })
      },
      AssignmentExpression(node) {
        if (isTakenApart(node.left, node.right) && !isSwap(node, value => context.sourceCode.getText(value)))
          context.report({ node, messageId: 'apart' })
      },
    }
  },
}

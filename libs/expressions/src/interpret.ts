import type {
  ArrowFunctionExpression,
  BinaryExpression,
  CallExpression,
  Expression,
  MemberExpression,
  ObjectExpression,
  PrivateIdentifier,
  Super,
  UnaryExpression,
} from 'acorn'
import { ExpressionFailure } from './expression-failure.ts'
import { bounded, callMethod, type Callback } from './methods.ts'

/** The values that an expression can name; plain data. */
export type Scope = Readonly<Record<string, unknown>>

interface Evaluation {
  scope: Scope
  step(): void
}

/** Evaluates a syntax tree. Throws `ExpressionFailure`; reads own properties only, and calls nothing but the methods of `callMethod`. */
export function interpret(expression: Expression, { scope, maxSteps }: { scope: Scope; maxSteps: number }): unknown {
  let steps = 0
  const step = (): void => {
    steps += 1
    if (steps > maxSteps) throw new ExpressionFailure(`The expression takes more than ${maxSteps} steps`)
  }
  return valueOf(expression, { scope, step })
}

type NodeOf<Type extends Expression['type']> = Extract<Expression, { type: Type }>
type Evaluators = { [Type in Expression['type']]?: (node: NodeOf<Type>, evaluation: Evaluation) => unknown }

/** Ends an optional chain: `a?.b.c` is undefined as a whole when `a` is. */
class ChainEnd extends Error {}

const evaluators: Evaluators = {
  Literal: node => {
    if (node.regex || node.bigint) throw notAllowed(node.regex ? 'A regular expression' : 'A bigint')
    return node.value
  },
  TemplateLiteral: ({ quasis, expressions }, evaluation) =>
    bounded(
      quasis
        .map(({ value }, at) => {
          const inserted = expressions[at]
          return `${value.cooked ?? ''}${inserted ? asText(valueOf(inserted, evaluation)) : ''}`
        })
        .join(''),
    ),
  Identifier: ({ name }, { scope }) => {
    if (name === 'undefined') return undefined
    if (Object.hasOwn(scope, name)) return scope[name]
    throw new ExpressionFailure(`${name} is not defined`)
  },
  ArrayExpression: ({ elements }, evaluation) =>
    elements.map(element => {
      if (element?.type === 'SpreadElement') throw notAllowed('A spread')
      return element ? valueOf(element, evaluation) : undefined
    }),
  ObjectExpression: objectOf,
  UnaryExpression: unary,
  BinaryExpression: binary,
  LogicalExpression: ({ operator, left, right }, evaluation) => {
    const first = valueOf(left, evaluation)
    if (operator === '&&') return first ? valueOf(right, evaluation) : first
    if (operator === '||') return first ? first : valueOf(right, evaluation)
    return first ?? valueOf(right, evaluation)
  },
  ConditionalExpression: ({ test, consequent, alternate }, evaluation) =>
    valueOf(valueOf(test, evaluation) ? consequent : alternate, evaluation),
  MemberExpression: (node, evaluation) => {
    const { target, key } = memberOf(node, evaluation)
    return property(target, key)
  },
  ChainExpression: ({ expression }, evaluation) => {
    try {
      return valueOf(expression, evaluation)
    } catch (error) {
      if (error instanceof ChainEnd) return undefined
      throw error
    }
  },
  CallExpression: call,
  ParenthesizedExpression: ({ expression }, evaluation) => valueOf(expression, evaluation),
}

function valueOf(node: Expression | Super | PrivateIdentifier, evaluation: Evaluation): unknown {
  evaluation.step()
  const evaluator = evaluators[node.type as Expression['type']] as
    ((node: unknown, evaluation: Evaluation) => unknown) | undefined
  if (!evaluator) throw notAllowed(node.type)
  return evaluator(node, evaluation)
}

function notAllowed(what: string): ExpressionFailure {
  return new ExpressionFailure(`${what} is not allowed in an expression`)
}

function objectOf({ properties }: ObjectExpression, evaluation: Evaluation): unknown {
  const made: Record<string, unknown> = Object.create(null)
  for (const each of properties) {
    if (each.type !== 'Property' || each.kind !== 'init' || each.method) throw notAllowed('This form of property')
    const key = !each.computed && each.key.type === 'Identifier' ? each.key.name : valueOf(each.key, evaluation)
    made[asText(key)] = valueOf(each.value, evaluation)
  }
  return made
}

function unary({ operator, argument }: UnaryExpression, evaluation: Evaluation): unknown {
  const value = valueOf(argument, evaluation)
  if (operator === '!') return !value
  if (operator === '-') return -asNumber(value)
  if (operator === '+') return asNumber(value)
  if (operator === 'typeof') return typeof value
  throw notAllowed(operator)
}

const comparisons: Record<string, (a: unknown, b: unknown) => boolean> = {
  // Loose equality converts objects by their methods; data has none, so that it compares as strict equality does.
  '==': (a, b) => looselyEqual(a, b),
  '!=': (a, b) => !looselyEqual(a, b),
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  '<': (a, b) => ordered(a, b) && (a as number) < (b as number),
  '<=': (a, b) => ordered(a, b) && (a as number) <= (b as number),
  '>': (a, b) => ordered(a, b) && (a as number) > (b as number),
  '>=': (a, b) => ordered(a, b) && (a as number) >= (b as number),
  in: (a, b) => typeof b === 'object' && b !== null && Object.hasOwn(b, asText(a)),
}

const arithmetic: Record<string, (a: number, b: number) => number> = {
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
}

function binary({ operator, left, right }: BinaryExpression, evaluation: Evaluation): unknown {
  const a = valueOf(left, evaluation)
  const b = valueOf(right, evaluation)
  if (operator === '+')
    return typeof a === 'string' || typeof b === 'string' ? bounded(asText(a) + asText(b)) : asNumber(a) + asNumber(b)
  const compare = comparisons[operator]
  if (compare) return compare(a, b)
  const compute = arithmetic[operator]
  if (compute) return compute(asNumber(a), asNumber(b))
  throw notAllowed(operator)
}

function looselyEqual(a: unknown, b: unknown): boolean {
  if (isPrimitive(a) && isPrimitive(b)) return a == b
  return a === b
}

/** Whether two values have an order: numbers, or texts, among themselves. */
function ordered(a: unknown, b: unknown): boolean {
  return typeof a === typeof b && (typeof a === 'number' || typeof a === 'string')
}

const isPrimitive = (value: unknown): boolean => value === null || typeof value !== 'object'

function memberOf(node: MemberExpression, evaluation: Evaluation): { target: unknown; key: string } {
  const target = valueOf(node.object, evaluation)
  if (node.optional && (target === undefined || target === null)) throw new ChainEnd()
  const key =
    !node.computed && node.property.type === 'Identifier'
      ? node.property.name
      : asText(valueOf(node.property, evaluation))
  return { target, key }
}

function property(target: unknown, key: string): unknown {
  if (target === undefined || target === null) throw new ExpressionFailure(`There is no ${key} of ${String(target)}`)
  if (typeof target === 'string') {
    if (key === 'length') return target.length
    return /^\d+$/.test(key) ? target[Number(key)] : undefined
  }
  if (typeof target !== 'object') return undefined
  return Object.hasOwn(target, key) ? (target as Record<string, unknown>)[key] : undefined
}

function call(node: CallExpression, evaluation: Evaluation): unknown {
  if (node.callee.type !== 'MemberExpression') throw notAllowed('A call of a function')
  const { target, key } = memberOf(node.callee, evaluation)
  const args = node.arguments.map(argument => {
    if (argument.type === 'SpreadElement') throw notAllowed('A spread')
    return argument.type === 'ArrowFunctionExpression'
      ? callbackOf(argument, evaluation)
      : valueOf(argument, evaluation)
  })
  return callMethod(target, { name: key, args }, evaluation.step)
}

function callbackOf({ params, body, async }: ArrowFunctionExpression, { scope, step }: Evaluation): Callback {
  if (async || body.type === 'BlockStatement') throw notAllowed('This form of function')
  const names = params.map(parameter => {
    if (parameter.type !== 'Identifier') throw notAllowed('This form of parameter')
    return parameter.name
  })
  return (...args) => {
    const own = Object.fromEntries(names.map((name, at) => [name, args[at]]))
    return valueOf(body, { scope: { ...scope, ...own }, step })
  }
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (isPrimitive(value)) return String(value)
  throw new ExpressionFailure('An object or a list is not a text')
}

function asNumber(value: unknown): number {
  if (typeof value === 'number') return value
  throw new ExpressionFailure('A number was expected')
}

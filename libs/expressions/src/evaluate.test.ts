import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { evaluate, expressionFault, meetsCondition, textOfExpression } from './index.ts'

const scope = {
  visitor: { claims: { plan: 'pro', roles: ['admin', 'beta'], age: 42, unsigned: { dark: true }, none: null } },
  space: { vars: { version: '2.1', limit: 5, on: false } },
  page: { vars: {} },
}
const value = (source: string) => {
  const result = evaluate(source, scope)
  return result.ok ? result.value : `fault: ${result.message}`
}

describe('an expression', () => {
  it.each<[string, unknown]>([
    ['space.vars.version', '2.1'],
    ['space["vars"]["limit"]', 5],
    ['visitor.claims.roles[1]', 'beta'],
    ['visitor.claims.roles.length', 2],
    ['visitor.claims.missing', undefined],
    ['visitor.claims.missing?.deep.er', undefined],
    ['visitor.claims.none ?? "x"', 'x'],
    ['visitor.claims.plan == "pro" && !space.vars.on', true],
    ['visitor.claims.plan != "pro" || space.vars.limit > 4', true],
    ['1 == "1"', true],
    ['1 === "1"', false],
    ['"a" < 1', false],
    ['-space.vars.limit + 2 * 3 - 4 / 2 % 3', -1],
    ['"v" + space.vars.limit', 'v5'],
    ['`v${space.vars.version}!`', 'v2.1!'],
    ['space.vars.on ? "on" : "off"', 'off'],
    ['typeof space.vars.limit', 'number'],
    ['"plan" in visitor.claims', true],
    ['"toString" in visitor.claims', false],
    ['visitor.claims.roles.includes("beta")', true],
    ['visitor.claims.roles.some(r => r.startsWith("adm"))', true],
    ['visitor.claims.roles.every((r, i) => r.length > i)', true],
    ['visitor.claims.roles.filter(r => r != "beta").map(r => r.toUpperCase()).join("-")', 'ADMIN'],
    ['[1, 2, 3].find(n => n > 1)', 2],
    ['" A b ".trim().toLowerCase().split(" ")[1]', 'b'],
    ['"abc".slice(1).endsWith("c")', true],
    ['({ a: 1, "b c": 2 })["b c"]', 2],
    ['undefined', undefined],
    ['(1 + 2) * (3)', 9],
  ])('%s is %j', (source, expected) => expect(value(source)).toEqual(expected))

  it.each([
    ['', 'This is not an expression'],
    ['a b', 'ends before'],
    ['a; b', 'ends before'],
    ['x = 1', 'AssignmentExpression is not allowed'],
    ['1, 2', 'SequenceExpression is not allowed'],
    ['new Date()', 'NewExpression is not allowed'],
    ['this', 'ThisExpression is not allowed'],
    ['/a+/.test("a")', 'A regular expression is not allowed'],
    ['(1', 'This is not an expression'],
    ['1n', 'A bigint is not allowed'],
    ['unknown', 'unknown is not defined'],
    ['process.env', 'process is not defined'],
    ['globalThis', 'globalThis is not defined'],
    ['page.vars.x.y', 'There is no y of undefined'],
    ['visitor.claims.plan.constructor("x")', 'constructor is not a function'],
    ['[].constructor.constructor("return process")()', 'A call of a function'],
    ['(() => 1)()', 'A call of a function'],
    ['[1].map(n => { return n })', 'This form of function'],
    ['[1].map(({ n }) => n)', 'This form of parameter'],
    ['[...[1]]', 'A spread is not allowed'],
    ['"a".repeat(1e9)', 'repeat is not a function'],
    ['({}) + 1', 'A number was expected'],
    ['({}) + "x"', 'An object or a list is not a text'],
    ['[{}].join("")', 'A list is joined of texts'],
    ['({ __proto__: 1, get a() { return 1 } })', 'This form of property'],
    ['import("fs")', 'not allowed'],
    ['x'.repeat(1_025), 'at most 1024 characters'],
  ])('%s is refused', (source, message) => {
    expect(value(source)).toEqual(expect.stringMatching(/^fault: /))
    expect(value(source)).toContain(message)
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('reaches no prototype by %s', name => {
    expect(value(`visitor.${name}`)).toBeUndefined()
    expect(value(`visitor.claims.roles["${name}"]`)).toBeUndefined()
    expect(value(`visitor.claims.plan["${name}"]`)).toBeUndefined()
    expect(value(`({})["${name}"]`)).toBeUndefined()
  })

  it('ends after a bounded number of steps, and makes no long values', () => {
    const list = `[${'1,'.repeat(100)}]`
    const nested = `${list}.map(a => ${list}.map(b => ${list}.map(c => a + b + c)))`
    expect(evaluate(nested, {})).toEqual({ ok: false, message: 'The expression takes more than 10000 steps' })
    const doubled = '[1,1,1,1,1,1,1,1,1,1,1,1,1,1].map(a => "x".split("")).join("")'
    expect(evaluate(doubled, {}).ok).toBe(false)
    const long = { text: 'x'.repeat(9_000) }
    expect(evaluate('text + text', long)).toMatchObject({ ok: false, message: expect.stringContaining('at most') })
  })

  it('never throws, whatever the text', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'a.b[](){}!?:=><&|+-"`$ \n1,;') })),
        text => {
          expect(typeof evaluate(text, scope).ok).toBe('boolean')
        },
      ),
      { numRuns: 2_000 },
    ))
})

describe('a condition', () => {
  it.each([
    [undefined, true],
    ['  ', true],
    ['visitor.claims.plan == "pro"', true],
    ['visitor.claims.plan == "free"', false],
    ['visitor.claims.unsigned.dark', true],
    ['visitor.missing.deep', false],
    ['((', false],
  ])('%s holds: %s', (source, holds) => expect(meetsCondition(source, scope)).toBe(holds))
})

describe('the text of an expression', () => {
  it.each([
    ['space.vars.version', '2.1'],
    ['space.vars.limit', '5'],
    ['space.vars.on', 'false'],
    ['visitor.claims.none', ''],
    ['visitor.claims.roles', ''],
    ['nonsense(', ''],
    ['nothing', ''],
  ])('%s is %j', (source, text) => expect(textOfExpression(source, scope)).toBe(text))

  it('says why a text is none', () => {
    expect(expressionFault('a ==')).toMatch(/not an expression/)
    expect(expressionFault('a == 1')).toBeUndefined()
  })
})

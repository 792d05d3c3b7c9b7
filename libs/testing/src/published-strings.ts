import fc from 'fast-check'

const words = fc.stringMatching(/^[a-zA-Z]{1,6}( [a-zA-Z]{1,6}){0,3}$/)
const marks = fc.stringMatching(/^[\w *_`~[\](){}%<>&:;$|#!+.="'\\/@^?-]{1,10}$/)
// prettier-ignore
const special = fc.constantFrom(
  ' ', '  ', ' a', 'a ', '\n', 'a\nb', 'a\n', '\nb', ':rocket:', ':a:', '&amp;', '&nbsp;', '&', '{% hint %}', '{%',
  '%}', '<b>', '</b>', '$$x$$', '[^1]', '[a](b)', '![a](b)', '- a', '1. a', '# a', '---', '```', '> a', '| a |',
  'https://a.example', 'www.a.example', 'ada@a.example', '\u00a0', '\t', 'ü', '日本', '👍', 'a|b', '\\', '\\|', '"',
  "'",
)
const line = fc.oneof(
  words,
  fc.stringMatching(/^[\w "'&<>|%{}\\:*_[\]().-]{1,12}$/),
  fc.constantFrom('a b', 'é', '', ' a'),
)
const id = fc.stringMatching(/^[a-zA-Z0-9]{4,12}$/)
const url = fc.oneof(
  fc.constantFrom(
    'https://a.example/b?c=1&d=2',
    'https://a.example/b?c=1&amp;d',
    'mailto:a@b.example',
    '//a.example',
    '#a',
  ),
  fc.constantFrom(
    'https://a.example/a (b)',
    'https://a.example/"b"',
    "https://a.example/'b'",
    'https://a.example/a|b',
    '',
  ),
  fc.webUrl(),
)

/** The text properties of the published schemas, by name; the empty name is that of all others. */
export const publishedStrings = {
  '': line,
  text: fc.oneof({ weight: 3, arbitrary: words }, { weight: 1, arbitrary: marks }, { weight: 1, arbitrary: special }),
  id: fc.stringMatching(/^[-a-z0-9.+_]{1,8}$/),
  key: id,
  file: id,
  page: id,
  space: id,
  user: id,
  collection: id,
  reusableContent: id,
  anchor: fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/),
  spec: fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/),
  tag: id,
  date: fc.constantFrom('2026-04-22T00:00:00.000Z', '2026-04-22T00:00:00Z', '2025-12-31T23:59:59.5+02:00'),
  url,
  code: fc.constantFrom('1f680', '1f44d', '1f1e9-1f1ea', '2764-fe0f', '2764', '1f468-200d-1f4bb', 'e9'),
  icon: fc.constantFrom('bolt', 'rocket', 'circle-info', 'a_b'),
  expression: fc.constantFrom(
    'space.vars.name',
    'page.vars.a == "b"',
    '`${space.vars.a}`',
    'a < b',
    'visitor.claims.x && !y',
    'x["<b>"]',
  ),
  formula: fc.constantFrom('x', 'a^2 + b_1', '\\frac{a}{b}', 'a < b', 'a\nb', 'a $ b', ' x '),
  syntax: fc.constantFrom('js', 'typescript', 'c++', 'diff js', ''),
  unit: fc.constantFrom('%', 'px'),
  integration: fc.constantFrom('mermaid', 'figma', 'my-org_x'),
  block: fc.constantFrom('diagram', 'embed', 'code-block'),
  method: fc.constantFrom('get', 'post'),
  path: fc.constantFrom('/pets', '/pets/{id}', '/a b'),
  schemas: fc.constantFrom('Pet', 'Cat.Dog', 'A_B'),
}

import { expect, it } from '@jest/globals'
import { termFinder, withTerms } from './glossary.rules.ts'

const terms = [
  { source: 'loop', target: 'Schleife' },
  { source: 'event loop', target: 'Ereignisschleife' },
  { source: 'C++', target: 'C++ (Sprache)' },
  { source: 'R&D', target: 'F&E' },
  { source: '漢字', target: 'Kanji' },
  { source: '-f', target: '-g' },
  { source: 'lt', target: 'Leutnant' },
]

it.each([
  ['words, the longest first', 'An event loop, a loop.', 'An <t1>Ereignisschleife</t1>, a <t2>Schleife</t2>.'],
  ['in any case, over lines', 'Event\nLoop', '<t1>Ereignisschleife</t1>'],
  ['no parts of words', 'looping eventloop loop2 loop_a', 'looping eventloop loop2 loop_a'],
  ['names that end with signs', 'In C++ or C+.', 'In <t1>C++ (Sprache)</t1> or C+.'],
  ['encoded text', 'Our R&amp;D.', 'Our <t1>F&amp;E</t1>.'],
  ['writing without blanks', '彼は漢字を', '彼は<t1>Kanji</t1>を'],
  ['signs alone, and terms with signs', 'Use -f, not --force.', 'Use <t1>-g</t1>, not --force.'],
  ['no names of encoded signs', 'a &lt; lt', 'a &lt; <t1>Leutnant</t1>'],
  ['nothing across placeholders', 'event <x1>loop</x1>', 'event <x1><t1>Schleife</t1></x1>'],
])('A glossary finds %s', (_title, text, expected) => expect(termFinder(terms)(text).text).toBe(expected))

it('Texts stay as they are without terms in the glossary', () =>
  expect(termFinder([])('a loop')).toEqual({ text: 'a loop', terms: [] }))

it.each([
  ['Die <t1>Ereignisschleife</t1>.', 'Die F&amp;E.'],
  ['Die <t1>ganz anders</t1> und <t2>x</t2>', 'Die F&amp;E und Schleife'],
  ['<t1/>', 'F&amp;E'],
])('A term becomes what the glossary says, whatever an engine makes of it: %s', (reply, expected) =>
  expect(withTerms(reply, ['F&E', 'Schleife'])).toBe(expected),
)

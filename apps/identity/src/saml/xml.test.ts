import { leastCpuTime } from '@recto/testing'
import { describe, expect, it } from '@jest/globals'
import type { Reason } from '../sign-ins/refusal.ts'
import { attributeOf, childrenOf, elementsOf, parseStrictly, textOf } from './xml.ts'

const refusedFor = (reason: Reason) =>
  expect.objectContaining({ code: 'unauthenticated', cause: expect.objectContaining({ reason }) })

describe('parseStrictly', () => {
  it('reads elements, attributes and text, in UTF-8 as declared or not', () => {
    const root = parseStrictly(
      '<?xml version="1.0" encoding="UTF-8"?>\n<a xmlns="urn:a" ID="1"><b> caf\u00e9 &amp; &#x1F4DA; </b><c xmlns="urn:c"/></a>\n',
    )
    expect(
      elementsOf(root)
        .map(({ localName }) => localName)
        .sort(),
    ).toEqual(['a', 'b', 'c'])
    expect(textOf(childrenOf(root, 'b', 'urn:a')[0])).toBe('caf\u00e9 & \u{1F4DA}')
    expect([childrenOf(root, 'c', 'urn:a'), childrenOf(root, 'c', 'urn:c').length]).toEqual([[], 1])
    expect([attributeOf(root, 'ID'), attributeOf(root, 'id')]).toEqual(['1', undefined])
  })

  it.each<[string, Reason, string]>([
    ['a comment in a text', 'markup', '<a>ada@recto.test<!-- -->.evil.test</a>'],
    ['a comment before the root', 'markup', '<!-- --><a/>'],
    ['a comment after the root', 'markup', '<a/><!-- -->'],
    ['a comment deep inside', 'markup', '<a><b><c><!-- --></c></b></a>'],
    ['a document type', 'markup', '<!DOCTYPE a><a/>'],
    ['a document type with an entity that is not used', 'markup', '<!DOCTYPE a [<!ENTITY b "c">]><a/>'],
    ['an entity of a document type', 'unreadable', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['an external entity', 'unreadable', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['a document type inside', 'markup', '<a><!DOCTYPE a></a>'],
    ['an instruction', 'markup', '<a><?php echo 1 ?></a>'],
    ['an instruction before the root', 'markup', '<?xml-stylesheet href="a"?><a/>'],
    ['a second declaration', 'markup', '<?xml version="1.0"?><?xml version="1.0"?><a/>'],
    ['a section of characters', 'markup', '<a><![CDATA[b]]></a>'],
    ['two roots', 'unreadable', '<a/><b/>'],
    ['no root', 'unreadable', 'a'],
    ['nothing', 'unreadable', ''],
    ['an attribute twice', 'unreadable', '<a ID="1" ID="2"/>'],
    ['an attribute without quotes', 'unreadable', '<a ID=1/>'],
    ['a character that XML has not', 'unreadable', '<a>&#0;</a>'],
    ['such a character in an attribute', 'unreadable', '<a ID="&#x1;"/>'],
    ['too many characters', 'unreadable', `<a>${'b'.repeat(256 * 1024)}</a>`],
    ['too many elements', 'unreadable', `<a>${'<b/>'.repeat(4_000)}</a>`],
    [
      'too many attributes',
      'unreadable',
      `<a ${Array.from({ length: 8_001 }, (_, index) => `b${index}=""`).join(' ')}/>`,
    ],
  ])('refuses %s', (_case, reason, xml) => {
    expect(() => parseStrictly(xml)).toThrow(refusedFor(reason))
  })

  it('parses the largest accepted document quickly', () => {
    const deep =
      Array.from({ length: 1_900 }, (_, index) => `<a xmlns:n${index}="urn:${index}">`).join('') + '</a>'.repeat(1_900)
    const wide = `<a ${Array.from({ length: 7_900 }, (_, index) => `b${index}=""`).join(' ')}/>`
    expect([elementsOf(parseStrictly(deep)).length, parseStrictly(wide).attributes.length]).toEqual([1_900, 7_900])
    expect(leastCpuTime(() => [parseStrictly(deep), parseStrictly(wide)])).toBeLessThan(5_000)
  })
})

describe('textOf', () => {
  it('returns the text of an element without child elements', () => {
    expect(textOf(parseStrictly('<a>ada@recto.test<b/>.evil.test</a>'))).toBe('')
    expect(textOf(undefined)).toBe('')
  })
})

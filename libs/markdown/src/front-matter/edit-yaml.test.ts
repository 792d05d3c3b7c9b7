import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { editYaml, type YamlEdit } from './edit-yaml.ts'
import { parseYaml } from './yaml.ts'

const valueOf = (text: string) => {
  const yaml = parseYaml(text)
  return yaml.ok ? (yaml.value ?? {}) : undefined
}

describe('YAML is edited', () => {
  it.each<[string, string, YamlEdit[], string | undefined]>([
    [
      'in a value, whose comment and quotes stay',
      'a:   "1"   # one\nb: 2\n',
      [{ path: ['a'], value: 'x: y' }],
      'a:   "x: y"   # one\nb: 2\n',
    ],
    [
      'in a map, with its indentation and line endings',
      '# top\r\nr:\r\n    "q x":   a.md # why\r\n    old: b.md\r\n\r\n# end\r\n',
      [
        { path: ['r', 'q x'], value: 'c.md' },
        { path: ['r', 'new'], value: 'd.md' },
      ],
      '# top\r\nr:\r\n    "q x":   c.md # why\r\n    old: b.md\r\n    new: d.md\r\n\r\n# end\r\n',
    ],
    ['without a key', 'r:\n  a: 1 # one\n  b: 2\n', [{ path: ['r', 'a'], value: undefined }], 'r:\n  b: 2\n'],
    ['without the last key of a map', 'r:\n  a: 1\nx: 2\n', [{ path: ['r', 'a'], value: undefined }], 'r:\nx: 2\n'],
    [
      'with a key in place of another',
      'r:\n  a: 1\n',
      [
        { path: ['r', 'a'], value: undefined },
        { path: ['r', 'b'], value: 2 },
      ],
      'r:\n  b: 2\n',
    ],
    ['in a map without keys', 'r: # none\nx: 1\n', [{ path: ['r', 'a'], value: 1 }], 'r: # none\n  a: 1\nx: 1\n'],
    [
      'with a map that is not there, behind a line without end',
      'x: 1',
      [
        { path: ['r', 'a'], value: 1 },
        { path: ['r', 'b'], value: true },
      ],
      'x: 1\nr:\n  a: 1\n  b: true',
    ],
    ['where there is nothing', '', [{ path: ['a'], value: 1 }], 'a: 1\n'],
    ['behind comments', '# one\n', [{ path: ['a'], value: 1 }], '# one\na: 1\n'],
    [
      'in a key that is written with invisible characters, which stay',
      'r\u200b:\n  a\ufeff: 1 # one\n  b/c\u00ad: 2\n',
      [
        { path: ['r', 'a'], value: 3 },
        { path: ['r', 'b/c'], value: undefined },
        { path: ['r', 'd'], value: 4 },
      ],
      'r\u200b:\n  a\ufeff: 3 # one\n  d: 4\n',
    ],
    ['over lines', 'a: |\n  x\n  y\nb: 2\n', [{ path: ['a'], value: 'z' }], 'a: z\nb: 2\n'],
    ['not at all in a value that others refer to', 'a: &x 1\nb: *x\n', [{ path: ['a'], value: 2 }], undefined],
    ['not at all in a list', '- a\n', [{ path: ['a'], value: 2 }], undefined],
    ['not at all where it cannot be read', 'a: [\n', [{ path: ['a'], value: 2 }], undefined],
  ])('%s', (_title, text, edits, edited) => expect(editYaml(text, edits)).toBe(edited))

  const key = fc.constantFrom('a', 'b', 'c d', 'é', '#', 'true', '1')
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constantFrom('', 'x\ny', ' z ', '# c', 'a: b'))
  const values = fc.dictionary(key, value)

  it('so that it reads as wanted, and keeps every line that says something else', () =>
    fc.assert(
      fc.property(
        values,
        values,
        key,
        fc.option(value, { nil: undefined }),
        fc.boolean(),
        (x, map, name, newValue, crlf) => {
          const plain = `# first\n${stringify({ ...x, map })}# last\n`
          const text = crlf ? plain.replaceAll('\n', '\r\n') : plain
          const edited = editYaml(text, [{ path: ['map', name], value: newValue }])
          if (edited === undefined) return
          const { [name]: _removed, ...rest } = map
          const expected = newValue === undefined ? rest : { ...rest, [name]: newValue }
          const before = valueOf(text) as { map: object }
          const empty = Object.keys(map).length > 0 ? null : {}
          expect(valueOf(edited)).toEqual({ ...before, map: Object.keys(expected).length > 0 ? expected : empty })
          const start = text.slice(0, text.indexOf('map:'))
          expect([edited.startsWith(start), edited.endsWith(crlf ? '# last\r\n' : '# last\n')]).toEqual([true, true])
          if (crlf) expect(edited).not.toMatch(/(?<!\r)\n/)
        },
      ),
    ))
})

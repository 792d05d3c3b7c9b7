import { describe, expect, it } from '@jest/globals'
import { bundledLanguages } from 'shiki/langs'
import { grammarOf, loadGrammars, newHighlight } from './highlight.ts'

describe('the grammar of code', () => {
  it.each([
    ['js', 'js'],
    ['JavaScript title="a.js"', 'javascript'],
    ['c++', 'c++'],
    ['golang', 'go'],
    ['text', undefined],
    ['no-such-language', undefined],
    ['__proto__', undefined],
    ['constructor', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %j is %j', (syntax, expected) => expect(grammarOf(syntax)).toBe(expected))
})

it('colours code across lines once its grammar is loaded, and says which it lacks', async () => {
  const first = newHighlight()
  expect(first.lines('a = 1', 'lua')).toBeUndefined()
  expect([...first.missingLanguages]).toEqual(['lua'])
  await loadGrammars(first.missingLanguages)
  const code = `--[[\n${'long\n'.repeat(120)}]]\nlocal a`
  const lines = newHighlight().lines(code, 'lua') ?? []
  expect(lines).toHaveLength(code.split('\n').length)
  expect(lines[100]).toBe('<span class="token-comment">long</span>')
  expect(lines.at(-1)).toContain('<span class="token-keyword">local</span>')
})

it('colours code after more grammars than it keeps', async () => {
  const names = Object.keys(bundledLanguages)
  for (let at = 0; at < names.length; at += 60) await loadGrammars(names.slice(at, at + 60))
  await loadGrammars(['json'])
  expect(newHighlight().lines('[true]', 'json')?.[0]).toContain('token-')
})

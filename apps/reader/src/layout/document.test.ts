import { expect, test } from '@jest/globals'
import { jsonForScript } from './document.tsx'

test.each(['</script>', '<!--', '<script', '\u2028', '\u2029', '"', '\\', 'a<b'])('%j stays in its script', text => {
  const json = jsonForScript({ text })
  expect(json).not.toMatch(/[<\u2028\u2029]/)
  expect(JSON.parse(json)).toEqual({ text })
})

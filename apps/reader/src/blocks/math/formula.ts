import { LRUCache } from 'lru-cache'
import katex from 'katex'

/** Characters of a formula that is read, and of what it becomes. */
const bounds = { formula: 4_000, markup: 1_000_000 }
const cache = new LRUCache<string, { markup: string | undefined }>({
  max: 5_000,
  maxSize: 32_000_000,
  sizeCalculation: ({ markup = '' }, formula) => markup.length + formula.length + 32,
})

/** A formula as HTML with MathML; undefined when it is not understood, or is too large. */
export function formulaMarkup(formula: string, isDisplay: boolean): string | undefined {
  if (formula.trim() === '' || formula.length > bounds.formula) return undefined
  const key = `${isDisplay ? 'display' : 'inline'} ${formula}`
  const rendering = cache.get(key) ?? { markup: rendered(formula, isDisplay) }
  cache.set(key, rendering)
  return rendering.markup
}

function rendered(formula: string, displayMode: boolean): string | undefined {
  try {
    const markup = katex.renderToString(formula, {
      displayMode,
      output: 'htmlAndMathml',
      throwOnError: true,
      trust: false,
      strict: 'ignore',
      maxSize: 40,
      maxExpand: 500,
    })
    return markup.length > bounds.markup ? undefined : markup
  } catch {
    // A ParseError, or a RangeError of a formula that is nested too deep: it is shown as it is written.
    return undefined
  }
}

// Turns modules of ECMAScript that esbuild has bundled into CommonJS: of that, V8 can keep what it has compiled (decision 0098).
import { dirname, join, relative, sep } from 'node:path'
import { loadEsbuild } from './bundle.mjs'

const named = path => path.replaceAll(sep, '/')

/**
 * A bundled module as a function's body. It asks `packageModule(name)` for modules of packages, whose names are their paths in `folder`,
 * and `importModule(specifier)` for what it imports dynamically, since scripts that V8 has kept cannot (Node 20 finds no one to ask).
 * `needed` has the modules of packages that it asks for.
 */
export async function asCommonJs({ path, text, folder }) {
  const esbuild = await loadEsbuild()
  const { code } = await esbuild.transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.url': 'urlOfProgram',
      'import.meta.filename': '__filename',
      'import.meta.dirname': '__dirname',
    },
  })
  const needed = new Set()
  const body = code
    // esbuild's form of `import()` where that is not supported; `importModule` resolves to a module, too.
    .replaceAll('=> __toESM(require(', '=> importModule((')
    .replace(/\brequire\("(\.{1,2}\/[^"]+)"\)/g, (_call, specifier) => {
      const name = named(relative(folder, join(dirname(path), specifier)))
      needed.add(name)
      return `packageModule("${name}")`
    })
  return { name: named(relative(folder, path)), code: asAscii(body), needed: [...needed] }
}

/** esbuild leaves other characters in comments and regular expressions. V8 keeps ASCII in half the memory, and reads it faster. */
function asAscii(code) {
  const raw = /\braw`[^`]*[^\x00-\x7f]/.exec(code)?.[0]
  if (raw !== undefined) throw new Error(`Here an escape would be another text: ${raw.trim()}`)
  return code.replace(/[^\x00-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

// Changes of packages that are made when they are bundled: node_modules stays as it was published (decisions 0080 and 0097).
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Modules whose whole contents are replaced, because Recto never calls them, and modules of which single texts are, by `[text, other]`. */
const changes = [
  {
    // Drivers of TypeORM for other databases, two fifths of it.
    file: /[/\\]typeorm[/\\]driver[/\\](aurora-mysql|aurora-postgres|better-sqlite3|capacitor|cockroachdb|cordova|expo|mongodb|mysql|nativescript|oracle|react-native|sap|spanner|sqlite-abstract|sqljs|sqlserver)[/\\]/,
    contents: '',
  },
  {
    // Messages of zod in fifty languages, half of it; ours are in libs/schema-faults.
    file: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/,
    contents: "export { default as en } from './en.js'",
  },
  {
    // A copy of nine properties for each of a page's thousands of tokens, a tenth of the time of parsing: one for each tokenizer is enough.
    file: /[/\\]mdast-util-from-markdown[/\\]lib[/\\]index\.js$/,
    texts: [
      ['const listStack = [];', 'const listStack = [];\nlet shared;'],
      [
        `.call({
          ...context,
          sliceSerialize: events[index][2].sliceSerialize
        }, events[index][1]);
      }
      if (events[index][0] === 'exit'`,
        `.call(
          shared?.sliceSerialize === events[index][2].sliceSerialize
            ? shared
            : (shared = { ...context, sliceSerialize: events[index][2].sliceSerialize }), events[index][1]);
      }
      if (events[index][0] === 'exit'`,
      ],
    ],
  },
]

/** A plugin of esbuild that makes the changes. A change that finds no module, or not exactly one of its texts, fails the build. */
export function changedPackages() {
  const waiting = new Set(changes)
  return {
    name: 'changed-packages',
    setup({ onLoad, onEnd }) {
      for (const change of changes)
        onLoad({ filter: change.file }, ({ path }) => {
          waiting.delete(change)
          const { texts, contents = texts.reduce(replaceOnce, readFileSync(path, 'utf8')) } = change
          return { contents, loader: 'js', resolveDir: dirname(path) }
        })
      onEnd(() => ({
        errors: [...waiting].map(({ file }) => ({ text: `No module is ${file}: scripts/changed-packages.mjs` })),
      }))
    },
  }
}

function replaceOnce(code, [text, other]) {
  if (code.split(text).length !== 2) throw new Error(`There is not exactly one ${text}: scripts/changed-packages.mjs`)
  return code.replace(text, () => other)
}

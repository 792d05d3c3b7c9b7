import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

/** Sources that are no part of a program: tests and what only they import. */
const isTest = path => /\.test(-d)?\.ts$|\/test\//.test(path)

function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sourcesBelow(path)
    return entry.name.endsWith('.ts') && !isTest(path) ? [path] : []
  })
}

/** Folders that a file imports from, its own left out. */
function importedFolders(file, specifiers) {
  const own = dirname(file)
  const folders = specifiers.filter(name => name.startsWith('.')).map(name => dirname(resolve(own, name)))
  return new Set(folders.filter(folder => folder !== own))
}

/** The folders that each file of a `src` folder imports from; read once per run of ESLint. */
const graphs = new Map()
function graphOf(root) {
  if (!graphs.has(root)) {
    const edges = sourcesBelow(root).map(file => {
      const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true)
      return [
        file,
        importedFolders(
          file,
          importedFiles.map(({ fileName }) => fileName),
        ),
      ]
    })
    graphs.set(root, new Map(edges))
  }
  return graphs.get(root)
}

/** The shortest way of imports from one folder to another (breadth-first search); undefined when there is none. */
function path(graph, from, to) {
  const next = new Map()
  for (const [file, folders] of graph) {
    const known = next.get(dirname(file)) ?? new Set()
    folders.forEach(folder => known.add(folder))
    next.set(dirname(file), known)
  }
  const ways = [[from]]
  const seen = new Set([from])
  for (let way = ways.shift(); way; way = ways.shift()) {
    if (way.at(-1) === to) return way
    for (const folder of next.get(way.at(-1)) ?? []) {
      if (!seen.has(folder)) ways.push([...way, folder])
      seen.add(folder)
    }
  }
  return undefined
}

/** Two folders of a project do not import each other, neither directly nor by way of others. */
export const noFolderCycle = {
  meta: { type: 'problem', schema: [], messages: { cycle: 'folders import each other: {{cycle}}' } },
  create(context) {
    const file = context.filename
    const [root] = /^.*\/src(?=\/)/.exec(file.replaceAll('\\', '/')) ?? []
    if (!root || isTest(file)) return {}
    return {
      'Program:exit'(program) {
        const imports = program.body.filter(({ source }) => typeof source?.value === 'string')
        const graph = new Map(graphOf(root))
        graph.set(
          file,
          importedFolders(
            file,
            imports.map(({ source }) => source.value),
          ),
        )
        for (const node of imports) {
          for (const target of importedFolders(file, [node.source.value])) {
            const back = target.startsWith(root) ? path(graph, target, dirname(file)) : undefined
            if (!back) continue
            const cycle = [dirname(file), ...back].map(folder => relative(root, folder) || '.').join(' -> ')
            context.report({ node, messageId: 'cycle', data: { cycle } })
          }
        }
      },
    }
  },
}

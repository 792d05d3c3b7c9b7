import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { importedPath } from './imports.mjs'

/** Sources that are no part of a program: tests and their helpers. */
const isTest = path => /\.test(-d)?\.tsx?$|\/test\//.test(path)

function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sourcesBelow(path)
    return /\.tsx?$/.test(entry.name) && !isTest(path) ? [path] : []
  })
}

/** The files that each file of a `src` folder imports, types included; read once per run of ESLint. */
const graphs = new Map()
export function graphOf(root) {
  if (!graphs.has(root)) {
    const edges = sourcesBelow(root).map(file => {
      const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true)
      return [file, new Set(importedFiles.flatMap(({ fileName }) => importedPath(file, fileName) ?? []))]
    })
    graphs.set(root, new Map(edges))
  }
  return graphs.get(root)
}

/** The `src` folder that a source belongs to; undefined for tests. */
export function sourceRoot(file) {
  const path = file.replaceAll('\\', '/')
  return isTest(path) ? undefined : /^.*\/src(?=\/)/.exec(path)?.[0]
}

/** The shortest path from one node to another (breadth-first search); undefined when there is none. */
export function shortestPath(neighbours, from, to) {
  const paths = [[from]]
  const seen = new Set([from])
  for (let path = paths.shift(); path; path = paths.shift()) {
    if (path.at(-1) === to) return path
    for (const next of neighbours(path.at(-1))) {
      if (!seen.has(next)) paths.push([...path, next])
      seen.add(next)
    }
  }
  return undefined
}

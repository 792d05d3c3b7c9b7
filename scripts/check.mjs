// Checks rules of the repository that neither compiler nor linter covers. Prints every fault and fails if there is one.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rawWrites } from './raw-writes.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const readmeLines = 30

const read = path => readFileSync(join(root, path), 'utf8')
const folders = path =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => `${path}/${entry.name}`)
/** Installed, built and data folders; of apps also the content that they serve as templates. */
const isNoSource = path => /\/(?:node_modules|dist|fixtures)$|^apps\/[\w-]+\/templates$/.test(path)
const filesBelow = path =>
  readdirSync(join(root, path), { withFileTypes: true }).flatMap(entry => {
    const below = `${path}/${entry.name}`
    if (isNoSource(below)) return []
    return entry.isDirectory() ? filesBelow(below) : [below]
  })

/** Every operation of the API is called by at least one handler test. */
function contractCoverage() {
  const { paths } = JSON.parse(read('openapi.json'))
  const ids = Object.values(paths).flatMap(item => Object.values(item).map(operation => operation.operationId))
  const tests = filesBelow('apps')
    .filter(path => path.endsWith('.handlers.test.ts') || path.includes('/src/test/'))
    .map(read)
    .join('\n')
  return ids.filter(id => !tests.includes(`.${id}(`)).map(id => `operation ${id} is called by no *.handlers.test.ts`)
}

/** Every app and library has a short README. */
function readmes() {
  return [...folders('apps'), ...folders('libs'), 'bench', 'e2e'].flatMap(folder => {
    const path = `${folder}/README.md`
    if (!existsSync(join(root, path))) return [`${path} is missing`]
    const lines = read(path).trimEnd().split('\n').length
    return lines > readmeLines ? [`${path} has ${lines} lines; at most ${readmeLines}`] : []
  })
}

const decisionIndex = 'docs/decisions/README.md'
const decisionFiles = () => filesBelow('docs/decisions').filter(path => path !== decisionIndex)

/** The index of decisions has one line for every decision, and says which are superseded. */
function indexedDecisions() {
  const lines = read(decisionIndex).split('\n')
  return decisionFiles().flatMap(path => {
    const name = path.split('/').at(-1)
    const entries = lines.filter(line => line.startsWith(`- [${name.slice(0, 4)}](${name})`))
    if (entries.length !== 1) return [`${decisionIndex} has ${entries.length} lines for ${name}; it needs one`]
    const isSuperseded = /\*\*Status:\*\* superseded/.test(read(path))
    return isSuperseded && !entries[0].includes('Superseded')
      ? [`${decisionIndex} lacks that ${name} is superseded`]
      : []
  })
}

/** Every decision has the required sections, names what enforces it, and the files it names exist. */
function decisions() {
  return decisionFiles().flatMap(path => {
    const text = read(path)
    const faults = ['**Status:**', '## Context', '## Decision', '## Consequences', '**Enforced by:**']
      .filter(part => !text.includes(part))
      .map(part => `${path} lacks ${part}`)
    const enforced = text.slice(text.indexOf('**Enforced by:**'))
    const named = [...enforced.matchAll(/`([\w./-]+\.(?:ts|mjs|json))`/g)].map(match => match[1])
    if (!/\.test(-d)?\.ts`|check[\w-]*\.mjs`|eslint\.config\.mjs`/.test(enforced))
      faults.push(`${path} is enforced by no test, check or lint rule`)
    return [
      ...faults,
      ...named.filter(file => !existsSync(join(root, file))).map(file => `${path} names ${file}, which is not there`),
    ]
  })
}

/** Links between documents resolve, outside of code; `ref:` names a link that a template leaves open. */
function links() {
  const documents = [...readdirSync(root), ...['docs', 'apps', 'libs'].flatMap(filesBelow)].filter(path =>
    path.endsWith('.md'),
  )
  return documents.flatMap(path =>
    [
      ...read(path)
        .replaceAll(/^```[\s\S]*?^```/gm, '')
        .matchAll(/\]\((?!https?:|ref:|#)([^)#]+)[^)]*\)/g),
    ]
      .filter(([, target]) => !existsSync(join(root, dirname(path), target)))
      .map(([, target]) => `${path} links to ${target}, which is not there`),
  )
}

/** A comment names its thing: none begins with "What". */
function comments() {
  const sources = ['apps', 'libs', 'e2e', 'bench', 'scripts', 'jest', 'eslint-rules'].flatMap(filesBelow)
  return sources
    .filter(path => /\.(?:ts|tsx|mjs)$/.test(path))
    .flatMap(path =>
      read(path)
        .split('\n')
        .flatMap((line, at) =>
          /^\s*(?:\/\/|\/\*\*|\*) What /.test(line) ? [`${path}:${at + 1} begins with "What"`] : [],
        ),
    )
}

/** The lock file lists the packages of every platform and names no registry host. */
function lock() {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/check-lock.mjs')], { encoding: 'utf8' })
  return status === 0 ? [] : stderr.trim().split('\n')
}

/** `docs/settings.md` is what the schemas of the configuration say. */
function settings() {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/settings.mjs'), '--check'], {
    encoding: 'utf8',
  })
  return status === 0 ? [] : stderr.trim().split('\n')
}

/** SQL writes tables only in the functions listed in raw-writes.mjs; other code uses the entity manager. */
function writes() {
  const isProduct = path => path.endsWith('.ts') && !/\.test(-d)?\.ts$|\/test\/|\/migrations\//.test(path)
  return rawWrites([...filesBelow('apps'), ...filesBelow('libs')].filter(isProduct), read)
}

const rules = [contractCoverage, readmes, decisions, indexedDecisions, links, comments, lock, settings, writes]
const faults = rules.flatMap(rule => rule())
for (const fault of faults) console.error(fault)
console.log(faults.length === 0 ? 'The repository keeps its rules.' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1

import { createHash } from 'node:crypto'
import { invalidNameReason, isBelow, joinInside } from '@recto/repository-format'
import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readConfiguration, ImportFailure } from '@recto/repository-content'
import type { ContentState } from './export-content.ts'
import { planExport, type ExportPlan, type ExportRequest } from './plan-export.ts'

const oidOf = (text: string) => createHash('sha1').update(text).digest('hex')
const foldPath = (path: string) => path.normalize('NFC').toLowerCase()

const name = fc.oneof(
  fc.constantFrom('a', 'B', 'b', 'README.md', 'SUMMARY.md', '.gitbook.yaml', '.gitbook', 'vars.yaml', 'docs', 'x.md'),
  fc.constantFrom(
    '..',
    '.',
    '...',
    '',
    '.git',
    '.GIT ',
    'git~1',
    '.g\u200cit',
    '.git::$INDEX_ALLOCATION',
    'C:',
    'caf\u00e9.md',
  ),
  fc.constantFrom('cafe\u0301.md', 'a\\b', '..\\up', '\0', 'a\nb', 'n'.repeat(300), '%2e%2e', '~', '-rf', '日本.md'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const path = fc
  .tuple(fc.constantFrom('', '/', '../', '../../', './', '\\', 'docs/', '//host/'), fc.array(name, { maxLength: 4 }))
  .map(([start, names]) => start + names.join('/'))
const text = fc.constantFrom('one', 'two', 'three')
const record = fc.record({ path, text, kind: fc.constantFrom('page', 'wanted', 'file', 'reusable') })

function stateOf(
  records: { path: string; text: string; kind: string }[],
  { wasInRepository = true } = {},
): ContentState {
  const each = records.map(({ text: bytes, ...rest }, at) => ({ ...rest, id: `r${at}`, hash: oidOf(bytes) }))
  const some = (kinds: string[]) => each.filter(({ kind }) => kinds.includes(kind))
  return {
    wasInRepository,
    pages: some(['page', 'wanted']).map(({ id, path: at, hash, kind }) => ({
      id,
      parent: null,
      type: 'document',
      title: id,
      hash,
      ...(kind === 'page' ? { path: at } : { wantedPath: at }),
    })),
    files: some(['file']).map(({ id, path: at, hash }) => ({ id, path: at, hash })),
    reusableContents: some(['reusable']).map(({ id, path: at, hash }) => ({ id, path: at, hash })),
    variables: {},
    redirects: {},
  }
}

/** Plans an export; undefined where the branch has a folder or a link in place of a file that an export edits. */
function tryPlanExport(request: ExportRequest): ExportPlan | undefined {
  try {
    return planExport(request)
  } catch (error) {
    if (error instanceof ImportFailure && error.message.includes('cannot be written')) return undefined
    throw error
  }
}

/** Paths that a repository can have: no hostile ones, and no file where another one has a folder. */
function repositoryPaths(paths: string[]): string[] {
  const freePaths: string[] = []
  for (const each of paths.flatMap(one => joinInside(one) ?? [])) {
    const isFree = freePaths.every(one => one !== each && !one.startsWith(`${each}/`) && !each.startsWith(`${one}/`))
    if (each !== '' && isFree) freePaths.push(each)
  }
  return freePaths
}

const scenario = fc.record({
  now: fc.array(record, { maxLength: 8 }),
  base: fc.option(fc.array(record, { maxLength: 8 })),
  branch: fc.array(fc.tuple(path, text), { maxLength: 8 }),
  others: fc.array(path, { maxLength: 3 }),
  root: fc.constantFrom('', 'docs', 'a/b'),
  force: fc.boolean(),
  wasInRepository: fc.boolean(),
})

it('An export writes and deletes only safe names below its root, and never a file that it does not know', () => {
  const property = fc.property(scenario, ({ now, base, branch, others, root, force, wasInRepository }) => {
    const { configuration } = readConfiguration(undefined, root)
    const below = (paths: string[]) =>
      repositoryPaths(paths.map(each => `${root}/${each}`)).filter(each => each !== root && isBelow(each, root))
    const all = below([...branch.map(([at]) => at), ...others])
    const isOther = new Set(below(others))
    const files = new Map(
      all
        .filter(each => !isOther.has(each))
        .map((each, at) => [each, oidOf(branch[at % Math.max(1, branch.length)]?.[1] ?? '')]),
    )
    const configurationPath = joinInside(root, '.gitbook.yaml') ?? ''
    const plan = tryPlanExport({
      content: {
        version: 1,
        candidates: [],
        isSameBranch: base !== null,
        now: stateOf(now, { wasInRepository }),
        ...(base && { base: stateOf(base) }),
      },
      tip: { configuration, configurationPath, files, others: isOther, texts: new Map(), notUtf8: new Set() },
      force,
      limits: { maxPages: 1_000 },
      oidOf: ({ hash, oid }) => oid ?? hash,
      titleOf: () => undefined,
      referenced: new Set<string>(),
    })
    if (!plan) return
    const writtenPaths = [...plan.writes.keys(), ...plan.texts.keys()]
    for (const each of [...writtenPaths, ...plan.deletes]) {
      expect([each, each !== root && isBelow(each, root)]).toEqual([each, true])
      expect([each, each.split('/').map(invalidNameReason).filter(Boolean)]).toEqual([each, []])
      expect([each, isOther.has(each)]).toEqual([each, false])
    }
    const remainingPaths = [...files.keys(), ...isOther].filter(each => !plan.deletes.has(each))
    const after = [...new Set([...writtenPaths, ...files.keys()])].filter(each => !plan.deletes.has(each))
    for (const each of writtenPaths) {
      expect(after.filter(one => one.startsWith(`${each}/`))).toEqual([])
      expect([each, remainingPaths.filter(one => each.startsWith(`${one}/`))]).toEqual([each, []])
      const isNew = !files.has(each)
      if (isNew) expect(after.filter(one => foldPath(one) === foldPath(each))).toEqual([each])
    }
    const basePaths = new Set((base ?? []).flatMap(({ path: at }) => joinInside(root, at) ?? []))
    const own = new Set([configurationPath, configuration.summary, joinInside(root, '.gitbook/vars.yaml')])
    // A page without a name for Markdown gets one, so that its file in the base may have another path.
    const changedPaths = [...plan.writes.keys(), ...plan.deletes].filter(each => files.has(each) && !own.has(each))
    expect(changedPaths.filter(each => !basePaths.has(each))).toEqual([])
  })
  fc.assert(property, { numRuns: 1_000 })
})

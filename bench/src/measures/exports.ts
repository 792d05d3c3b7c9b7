import { aSpace } from '../harness/api.ts'
import { aFolder, type Bench, type Measure } from '../harness/bench.ts'
import {
  branchOff,
  editPage,
  exportContent,
  filesOfLastCommit,
  type NativeChange,
  pushNatively,
} from '../harness/exports.ts'
import type { Finding } from '../harness/finding.ts'
import {
  cloneNatively,
  importRepository,
  type RepositoryFolder,
  serveManual,
  serveManualBesideCode,
  type ServedRepository,
} from '../harness/imports.ts'
import { median, rounded } from '../harness/statistics.ts'
import { memoryFinding } from './imports.ts'

const rounds = 5
const imports = 3
/** The branch that native git pushes to, so that exports find no changes but their own. */
const branch = 'native'

/** Exports of one edited page against a native clone, commit and push of the same change, imports of a manual beside code, and memory. */
export const measureExports: Measure = async bench => {
  const manual = await serveManual(bench)
  const small = await measureOn(bench, { served: manual, from: { url: manual.url }, atMost: 2 })
  const mono = await serveManualBesideCode(bench.cleanup, { megabytes: 200, pages: 2_000 })
  const from = { url: mono.url, repoProjectDirectory: mono.folder }
  const imported = await measureImports(bench, { served: mono, from })
  return [...small, ...imported, ...(await measureOn(bench, { served: mono, from, atMost: 1 }))]
}

interface Measured {
  served: ServedRepository
  from: RepositoryFolder
}

async function measureOn(bench: Bench, { served, from, atMost }: Measured & { atMost: number }): Promise<Finding[]> {
  const { api, cleanup, print } = bench
  const folder = await aFolder(cleanup, 'pushes')
  await branchOff(cleanup, served.path, branch)
  const space = await aSpace(api, bench.organization)
  const { pages } = await importRepository(api, space, from)
  const page = pages[pages.length >> 1] ?? ''
  const change = async (text: string) => {
    await editPage(api, space, { page, markdown: `# Edited\n\n${text}\n` })
    return exportContent(api, space, from)
  }
  const figures: (NativeChange & { export: number })[] = []
  for (let round = 1; round <= rounds; round++) {
    const native = await pushNatively(cleanup, folder, { url: served.url, branch })
    const seconds = await change(`Round ${round}`)
    const files = await filesOfLastCommit(cleanup, served.path, 'main')
    if (files.length !== 1) throw new Error(`The export changed ${files.join(', ')}`)
    print(
      `  clone and push ${native.all.toFixed(3)} s, push alone ${native.push.toFixed(3)} s, export ${seconds.toFixed(3)} s`,
    )
    figures.push({ ...native, export: seconds })
  }
  const of = (name: 'all' | 'push' | 'export') => median(figures.map(figure => figure[name]))
  const memory = await memoryFinding(bench, `an export, ${served.what}`, () => change('Memory'))
  return [
    {
      what: `export of one edited page, ${served.what}, against native clone, commit and push`,
      value: rounded(of('export') / of('all')),
      unit: 'x',
      budget: { atMost },
      detail: `${of('export').toFixed(3)} s against ${of('all').toFixed(3)} s`,
      figures: { rounds: figures },
    },
    {
      what: `the same, against native commit and push alone`,
      value: rounded(of('export') / of('push')),
      unit: 'x',
      detail: `${of('export').toFixed(3)} s against ${of('push').toFixed(3)} s`,
      figures: { rounds: figures },
    },
    ...memory,
  ]
}

async function measureImports(bench: Bench, { served, from }: Measured): Promise<Finding[]> {
  const { api, cleanup, organization, print } = bench
  const folder = await aFolder(cleanup, 'clones')
  const figures: Record<'clone' | 'first' | 'again', number>[] = []
  for (let round = 1; round <= imports; round++) {
    const native = await cloneNatively(cleanup, folder, served.url)
    const space = await aSpace(api, organization)
    const { seconds } = await importRepository(api, space, from)
    const again = await importRepository(api, space, from)
    print(
      `  clone ${native.toFixed(3)} s, import ${seconds.toFixed(3)} s of ${again.pages.length} pages, unchanged ${again.seconds.toFixed(3)} s`,
    )
    figures.push({ clone: native, first: seconds, again: again.seconds })
  }
  const of = (name: 'clone' | 'first' | 'again') => median(figures.map(figure => figure[name]))
  const space = await aSpace(api, organization)
  const bring = () => importRepository(api, space, from)
  const first = await memoryFinding(bench, `a first import, ${served.what}`, bring)
  const again = await memoryFinding(bench, `an unchanged import, ${served.what}`, bring)
  return [
    {
      what: `import of ${served.what}, against git clone --depth 1`,
      value: rounded(of('first') / of('clone')),
      unit: 'x',
      budget: { atMost: 5 },
      detail: `${of('first').toFixed(3)} s against ${of('clone').toFixed(3)} s`,
      figures: { rounds: figures },
    },
    {
      what: `import of ${served.what}, unchanged, against the first`,
      value: rounded(of('again') / of('first')),
      unit: 'x',
      budget: { atMost: 0.5 },
      detail: `${of('again').toFixed(3)} s against ${of('first').toFixed(3)} s`,
      figures: { rounds: figures },
    },
    ...first,
    ...again,
  ]
}

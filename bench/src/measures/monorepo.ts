import { randomBytes } from 'node:crypto'
import { aLargeRepository } from '@recto/testing'
import { aSpace } from '../harness/api.ts'
import { aFolder, type Measure } from '../harness/bench.ts'
import { cloneFolderNatively, cloneNatively, importRepository, serve, serveMonorepo } from '../harness/imports.ts'
import { median, rounded } from '../harness/statistics.ts'
import { memoryFinding } from './imports.ts'

const megabytes = 200
const rounds = 5
/** A repository above the limit of what one import fetches, `GIT_MAX_PACK`. */
const large = { others: 20, megabytes: 100, pages: 100, pictures: 20 }

/** Import of one of five folders of documentation of a large repository, against `git clone --depth 1` of all of it. */
export const measureMonorepo: Measure = async bench => {
  const { api, organization, cleanup } = bench
  const { url, what, folder } = await serveMonorepo(cleanup, megabytes)
  const clones = await aFolder(cleanup, 'clones')
  const times = { import: [] as number[], clone: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    times.clone.push(await cloneNatively(cleanup, clones, url))
    const space = await aSpace(api, organization)
    const { seconds, pages } = await importRepository(api, space, { url, repoProjectDirectory: folder })
    if (pages.length !== 5) throw new Error(`The import brought ${pages.length} pages`)
    times.import.push(seconds)
  }
  const imported = median(times.import)
  const native = median(times.clone)
  return [
    {
      what: `import of 6 files of a repository of ${what}, against git clone --depth 1`,
      value: rounded(imported / native),
      unit: 'x',
      budget: { atMost: 0.1 },
      detail: `${imported.toFixed(2)} s against ${native.toFixed(2)} s`,
      figures: times,
    },
  ]
}

/** Import of a manual of 5 MB in a repository of 2 GB, against what native git needs for the same folder, and the worker's memory. */
export const measureLargeMonorepo: Measure = async bench => {
  const { api, organization, cleanup } = bench
  const repository = await aLargeRepository({ files: manual(), others: large.others, megabytes: large.megabytes })
  cleanup.add(repository.remove)
  const folder = 'docs'
  const { url } = await serve(cleanup, repository.path, '2 GB')
  const clones = await aFolder(cleanup, 'clones')
  const bring = async () =>
    importRepository(api, await aSpace(api, organization), { url, repoProjectDirectory: folder })
  const times = { import: [] as number[], clone: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    times.clone.push(await cloneFolderNatively(cleanup, clones, { url, folder }))
    const { seconds, pages } = await bring()
    if (pages.length !== large.pages) throw new Error(`The import brought ${pages.length} pages`)
    times.import.push(seconds)
  }
  const imported = median(times.import)
  const native = median(times.clone)
  return [
    {
      what: 'import of a manual of 5 MB of a repository of 2 GB, against a native clone of its folder alone',
      value: rounded(imported / native),
      unit: 'x',
      budget: { atMost: 5 },
      detail: `${imported.toFixed(2)} s against ${native.toFixed(2)} s`,
      figures: times,
    },
    ...(await memoryFinding(bench, 'a manual of 5 MB of a repository of 2 GB', bring)),
  ]
}

function manual(): Record<string, string | Buffer> {
  const pages = Array.from({ length: large.pages }, (_, at) => [
    `docs/page-${at}.md`,
    `# Page ${at}\n\n![](.gitbook/assets/${at % large.pictures}.png)\n`,
  ])
  const pictures = Array.from({ length: large.pictures }, (_, at) => [
    `docs/.gitbook/assets/${at}.png`,
    randomBytes(250_000),
  ])
  return Object.fromEntries([...pages, ...pictures]) as Record<string, string | Buffer>
}

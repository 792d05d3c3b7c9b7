import { aSpace } from '../harness/api.ts'
import { aFolder, type Measure } from '../harness/bench.ts'
import { cloneNatively, importRepository, serveMonorepo } from '../harness/imports.ts'
import { median, rounded } from '../harness/statistics.ts'

const [megabytes, rounds] = [200, 3]

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
  const [imported, native] = [median(times.import), median(times.clone)]
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

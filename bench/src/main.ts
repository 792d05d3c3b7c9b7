import { relative } from 'node:path'
import { anOrganization, Api } from './api.ts'
import { aFolder, type Measure } from './bench.ts'
import { Cleanup } from './cleanup.ts'
import { isKept, type Finding } from './finding.ts'
import { measureIdle } from './measures/idle.ts'
import { measureImports } from './measures/imports.ts'
import { measureMembers } from './measures/members.ts'
import { measurePageRead } from './measures/page-read.ts'
import { measureQueries } from './measures/queries.ts'
import { measureSpaceRead } from './measures/space-read.ts'
import { measureStarts } from './measures/starts.ts'
import { measureTrees } from './measures/trees.ts'
import { tableOf, writeResults } from './report.ts'

const measures: Record<string, Measure> = {
  // First: what the others leave behind is not idle.
  idle: measureIdle,
  'space-read': measureSpaceRead,
  queries: measureQueries,
  members: measureMembers,
  trees: measureTrees,
  imports: measureImports,
  'page-read': measurePageRead,
}

const cleanup = new Cleanup()
const say = (line: string) => void process.stdout.write(`${line}\n`)

async function measureAll(chosen: string[]): Promise<void> {
  const unknown = chosen.find(name => !(name in measures))
  if (unknown !== undefined)
    throw new Error(`There is no measure ${unknown}; there are ${Object.keys(measures).join(', ')}`)
  say('starts')
  const { stack, findings } = await measureStarts(cleanup, await aFolder(cleanup, 'data'))
  const api = new Api(stack)
  cleanup.add(async () => api.close())
  const bench = { stack, api, organization: await anOrganization(api), cleanup, say }
  for (const [name, measure] of Object.entries(measures)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    say(name)
    findings.push(...(await measure(bench)))
  }
  await conclude(findings, chosen.length === 0)
}

/** Only a whole run is kept: its figures belong together. */
async function conclude(findings: Finding[], isWhole: boolean): Promise<void> {
  say(`\n${tableOf(findings)}\n`)
  if (isWhole) say(`Written to ${relative('', await writeResults(findings))}`)
  if (findings.some(finding => isKept(finding) === false)) process.exitCode = 1
}

const interrupted = new Promise<never>((_, reject) => {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => reject(new Error('Interrupted')))
})

try {
  await Promise.race([measureAll(process.argv.slice(2)), interrupted])
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await cleanup.run()
}

import { relative } from 'node:path'
import { anOrganization, Api } from './harness/api.ts'
import { aFolder, type Measure } from './harness/bench.ts'
import { Cleanup } from './harness/cleanup.ts'
import { isWithinBudget, type Finding } from './harness/finding.ts'
import { measureChecks } from './measures/checks.ts'
import { measureCores } from './measures/cores.ts'
import { measureEditing } from './measures/editing.ts'
import { measureEvents } from './measures/events.ts'
import { measureExports } from './measures/exports.ts'
import { measureIdle } from './measures/idle.ts'
import { measureImports } from './measures/imports.ts'
import { measureLargeContent } from './measures/large-content.ts'
import { measureMemory } from './measures/memory.ts'
import { measureMembers } from './measures/members.ts'
import { measurePdf } from './measures/pdf.ts'
import { measurePageRead } from './measures/page-read.ts'
import { measureMerging } from './measures/merging.ts'
import { measureLargeMonorepo, measureMonorepo } from './measures/monorepo.ts'
import { measureOrganizations } from './measures/organizations.ts'
import { measureQueries } from './measures/queries.ts'
import { measureReader } from './measures/reader.ts'
import { measureRequests } from './measures/requests.ts'
import { measureSearch } from './measures/search.ts'
import { measureSiteSearch } from './measures/site-search.ts'
import { measureSites } from './measures/sites.ts'
import { measureSpecifications } from './measures/specifications.ts'
import { measureSpaceRead } from './measures/space-read.ts'
import { measureSignIn } from './measures/sign-in.ts'
import { measureStarts } from './measures/starts.ts'
import { measureTrees } from './measures/trees.ts'
import { formatTable, writeResults } from './harness/report.ts'

const measures: Record<string, Measure> = {
  // Runs first, since the others leave background work behind.
  idle: measureIdle,
  'space-read': measureSpaceRead,
  cores: measureCores,
  requests: measureRequests,
  events: measureEvents,
  specifications: measureSpecifications,
  sites: measureSites,
  reader: measureReader,
  queries: measureQueries,
  members: measureMembers,
  'sign-in': measureSignIn,
  trees: measureTrees,
  organizations: measureOrganizations,
  checks: measureChecks,
  imports: measureImports,
  'page-read': measurePageRead,
  search: measureSearch,
  'site-search': measureSiteSearch,
  editing: measureEditing,
  merging: measureMerging,
  monorepo: measureMonorepo,
  'monorepo-large': measureLargeMonorepo,
  exports: measureExports,
  'large-content': measureLargeContent,
  pdf: measurePdf,
  // Runs last, since it restarts content and leaves background work behind.
  memory: measureMemory,
}

const cleanup = new Cleanup()
const print = (line: string) => void process.stdout.write(`${line}\n`)

async function measureAll(chosen: string[]): Promise<void> {
  const unknown = chosen.find(name => !(name in measures))
  if (unknown !== undefined)
    throw new Error(`There is no measure ${unknown}; there are ${Object.keys(measures).join(', ')}`)
  print('starts')
  const { stack, findings } = await measureStarts(cleanup, await aFolder(cleanup, 'data'))
  const api = new Api(stack)
  cleanup.add(async () => api.close())
  const bench = { stack, api, organization: await anOrganization(api), cleanup, print }
  for (const [name, measure] of Object.entries(measures)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    print(name)
    findings.push(...(await measure(bench)))
  }
  await report(findings, chosen.length === 0)
}

/** Prints the findings; only complete runs are written to a file. */
async function report(findings: Finding[], isWhole: boolean): Promise<void> {
  print(`\n${formatTable(findings)}\n`)
  if (isWhole) print(`Written to ${relative('', await writeResults(findings))}`)
  if (findings.some(finding => isWithinBudget(finding) === false)) process.exitCode = 1
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

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, rowsOf } from '@recto/testing'
import { superuserUrl } from './databases.ts'
import type { Stack } from './stack.ts'

/** A statement as PostgreSQL executed it. */
export interface ExecutedPlan {
  statement: string
  /** Rows and entries of indexes that were read, also those that a condition left out. */
  rows: number
  /** Blocks of tables and indexes that were read, in memory or from the disk. */
  blocks: number
  /** Tables that were read from one end to the other. */
  scannedTables: string[]
}

/** The plans of statements of services, from the log of PostgreSQL. */
export interface PlanLog {
  /** The plans of what the services execute during the work. */
  capture(work: () => Promise<unknown>): Promise<ExecutedPlan[]>
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
}

/** Has PostgreSQL log each plan of some roles, and ends their connections, which they open anew with it. */
export async function logPlans(stack: Stack, roles: string[]): Promise<PlanLog> {
  const admin = superuserUrl(stack.dataDir, 'postgres')
  for (const role of roles)
    for (const [name, value] of Object.entries(settings))
      await rowsOf(admin, `ALTER ROLE ${role} SET ${name} = '${value}'`)
  const names = roles.map(role => `'${role}'`).join(', ')
  await rowsOf(admin, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename IN (${names})`)
  let marks = 0
  const mark = async () => {
    const text = `mark ${++marks} of the test`
    await rowsOf(admin, `DO $$ BEGIN RAISE LOG '${text}'; END $$`)
    return text
  }
  return {
    async capture(work) {
      const before = await mark()
      await work()
      const after = await mark()
      return eventually(async () => {
        const text = await readFile(join(stack.dataDir, 'logs/postgres.log'), 'utf8')
        const end = text.indexOf(after)
        if (end < 0) throw new Error('The log is behind')
        return plansIn(text.slice(text.indexOf(before), end))
      })
    },
  }
}

/**
 * Records start with a timestamp. A record that is longer than what a pipe takes at once may have parts of another one inside; both are
 * left out, because statements come more often than that.
 */
function plansIn(text: string): ExecutedPlan[] {
  return text.split(/\n(?=\d{4}-\d\d-\d\d )/).flatMap(record => {
    const json = /LOG: {2}duration: .*? plan:\n([^]*)$/.exec(record)?.[1]
    try {
      return json === undefined ? [] : [planOf(JSON.parse(json) as { 'Query Text': string; Plan: PlanNode })]
    } catch (error) {
      if (error instanceof SyntaxError) return []
      throw error
    }
  })
}

function planOf({ 'Query Text': statement, Plan: plan }: { 'Query Text': string; Plan: PlanNode }): ExecutedPlan {
  const nodes = nodesOf(plan)
  return {
    statement,
    rows: nodes
      .filter(node => node['Relation Name'] ?? node['Index Name'])
      .reduce((sum, node) => sum + rowsRead(node), 0),
    blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    scannedTables: nodes.flatMap(node => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [])),
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

function rowsRead(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + removed) * node['Actual Loops']
}

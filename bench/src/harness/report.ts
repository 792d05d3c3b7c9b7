import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isWithinBudget, type Finding } from './finding.ts'
import { root } from './stack.ts'

const verdicts = new Map([
  [true, 'kept'],
  [false, 'MISSED'],
  [undefined, ''],
])

/** Formats the findings as a table for the terminal. */
export function formatTable(findings: Finding[]): string {
  const rows = [['what', 'measured', 'budget', '', 'figures'], ...findings.map(formatRow)]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length))) ?? []
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function formatRow(finding: Finding): string[] {
  const { what, value, unit, budget, detail } = finding
  const limit = !budget ? '' : 'atLeast' in budget ? `>= ${budget.atLeast} ${unit}` : `<= ${budget.atMost} ${unit}`
  return [what, `${value} ${unit}`, limit, verdicts.get(isWithinBudget(finding)) ?? '', detail]
}

/** Writes the findings with a description of the machine, and returns the path of the file. */
export async function writeResults(findings: Finding[]): Promise<string> {
  const commit = await currentCommit()
  const now = new Date().toISOString()
  const folder = join(root, 'bench/results')
  const path = join(folder, `${now.slice(0, 10)}-${commit}.json`)
  const machine = {
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model,
    memoryBytes: totalmem(),
  }
  const results = findings.map(finding => ({ ...finding, kept: isWithinBudget(finding) }))
  await mkdir(folder, { recursive: true })
  await writeFile(path, `${JSON.stringify({ at: now, commit, ...machine, results }, null, 2)}\n`)
  return path
}

async function currentCommit(): Promise<string> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', ['-C', root, ...args])).stdout.trim()
  return git('rev-parse', '--short=12', 'HEAD').catch(() => 'unknown')
}

import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isKept, type Finding } from './finding.ts'
import { root } from './stack.ts'

const verdicts = new Map([
  [true, 'kept'],
  [false, 'MISSED'],
  [undefined, ''],
])

/** The findings as a table for the terminal. */
export function tableOf(findings: Finding[]): string {
  const rows = [['what', 'measured', 'budget', '', 'figures'], ...findings.map(rowOf)]
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

function rowOf(finding: Finding): string[] {
  const { what, value, unit, budget, detail } = finding
  const limit = !budget ? '' : 'atLeast' in budget ? `>= ${budget.atLeast} ${unit}` : `<= ${budget.atMost} ${unit}`
  return [what, `${value} ${unit}`, limit, verdicts.get(isKept(finding)) ?? '', detail]
}

/** Writes the findings with what they were measured on; the path of the file. */
export async function writeResults(findings: Finding[]): Promise<string> {
  const commit = await commitOf()
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
  const results = findings.map(finding => ({ ...finding, kept: isKept(finding) }))
  await mkdir(folder, { recursive: true })
  await writeFile(path, `${JSON.stringify({ at: now, commit, ...machine, results }, null, 2)}\n`)
  return path
}

async function commitOf(): Promise<string> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', ['-C', root, ...args])).stdout.trim()
  return git('rev-parse', '--short=12', 'HEAD').catch(() => 'unknown')
}

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cleanup } from '../harness/cleanup.ts'
import type { Finding } from '../harness/finding.ts'
import { root, startStack, type Stack } from '../harness/stack.ts'
import { rounded } from '../harness/statistics.ts'

/** A cold start (nothing built, no data) and a warm one on the same folder; the second stack is left running. */
export async function measureStarts(cleanup: Cleanup, dataDir: string): Promise<{ stack: Stack; findings: Finding[] }> {
  // Without its stamp file the build runs again, as on a fresh clone.
  await rm(join(root, 'dist/apps/built'), { force: true })
  const cold = await startStack(cleanup, dataDir)
  await cold.stop()
  const warm = await startStack(cleanup, dataDir)
  const figures = { cold: cold.seconds, warm: warm.seconds }
  const findings: Finding[] = [
    {
      what: 'cold npm start, packages installed',
      value: rounded(cold.seconds),
      unit: 's',
      budget: { atMost: 10 },
      detail: 'build, first database, migrations, processes',
      figures,
    },
    {
      what: 'warm npm start, against the cold one',
      value: rounded(warm.seconds / cold.seconds),
      unit: 'x',
      detail: `${warm.seconds.toFixed(2)} s against ${cold.seconds.toFixed(2)} s`,
      figures,
    },
  ]
  return { stack: warm, findings }
}

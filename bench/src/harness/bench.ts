import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from './api.ts'
import type { Cleanup } from './cleanup.ts'
import type { Finding } from './finding.ts'
import type { Stack } from './stack.ts'

/** The context of a measure. */
export interface Bench {
  stack: Stack
  api: Api
  /** An organization of the administrator. */
  organization: string
  cleanup: Cleanup
  print(line: string): void
}

/** A benchmark of the running stack. */
export type Measure = (bench: Bench) => Promise<Finding[]>

/** Creates a temporary folder that is deleted at the end. */
export async function aFolder(cleanup: Cleanup, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `recto-bench-${name}-`))
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  return folder
}

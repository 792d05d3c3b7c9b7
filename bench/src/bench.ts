import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from './api.ts'
import type { Cleanup } from './cleanup.ts'
import type { Finding } from './finding.ts'
import type { Stack } from './stack.ts'

/** What a measure works with. */
export interface Bench {
  stack: Stack
  api: Api
  /** An organization of the administrator. */
  organization: string
  cleanup: Cleanup
  say(line: string): void
}

/** Measures something on the running stack. */
export type Measure = (bench: Bench) => Promise<Finding[]>

/** A folder that is gone at the end. */
export async function aFolder(cleanup: Cleanup, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `recto-bench-${name}-`))
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  return folder
}

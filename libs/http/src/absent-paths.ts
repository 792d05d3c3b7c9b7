import type { AbsentPaths } from '@recto/operation'
import { createRouter, parameterized } from './router.ts'

/** Returns the finder of the reason why a path is absent by decision; it returns undefined for any other path. */
export function createAbsentPaths(
  absent: readonly AbsentPaths[],
  prefix: string,
): (path: string) => string | undefined {
  const router = createRouter()
  for (const { reason, paths } of absent)
    for (const path of paths) router.on('GET', `${prefix}${parameterized(path)}`, () => undefined, reason)
  return path => router.find('GET', path)?.store as string | undefined
}

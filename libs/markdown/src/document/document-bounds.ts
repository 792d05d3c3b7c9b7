import { markdownBounds } from '../syntax/bounds.ts'

/** The page is larger or deeper as a document than it may be; it is kept as it was written. */
export class BeyondBounds extends Error {}

/** Fails when containers are nested too deep. */
export function checkDepth(depth: number): void {
  if (depth > markdownBounds.depth) throw new BeyondBounds()
}

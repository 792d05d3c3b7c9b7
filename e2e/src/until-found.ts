import { expect } from '@jest/globals'
import { eventually } from '@recto/testing'
import { sendOk, type Person } from './people.ts'
import type { Installation } from './stack.ts'

/** Resolves when the search of a space finds something for these words: pages are searched a moment after they were written. */
export async function untilFound(
  { stack, admin }: { stack: Pick<Installation, 'url'>; admin: Person },
  { space, words }: { space: string; words: string },
): Promise<void> {
  const path = `/spaces/${space}/search?query=${encodeURIComponent(words)}`
  await eventually(async () => {
    const { items } = await sendOk<{ items: unknown[] }>(stack, admin, { method: 'GET', path })
    expect(items).not.toEqual([])
  })
}

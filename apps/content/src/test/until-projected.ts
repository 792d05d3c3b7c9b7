import { eventually } from '@recto/testing'
import { expect } from '@jest/globals'
import type { ContentSetup } from './content-setup.ts'

/** Waits until the projections of a space belong to its main content. */
export async function untilProjected(content: ContentSetup, spaceId: string): Promise<void> {
  await eventually(async () => {
    const { revision } = await content.as('read').getSpaceById({ params: { spaceId } })
    const [row] = await content.service.db.query('select revision from main_projections where space_id = $1', [spaceId])
    expect(row).toEqual({ revision })
  })
}

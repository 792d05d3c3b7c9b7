import { query } from '@recto/database'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aProposer } from '../test/a-proposer.ts'
import { insert } from '../test/an-editor.ts'
import { aContent, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'
import { handledEvents } from '../test/handled-events.ts'
import { findProjections } from './main-projections.repository.ts'

let content: ContentSetup
beforeAll(async () => {
  content = await aContent()
  content.people.add({ organization, user: 'user-edit', role: 'create' })
})
afterAll(() => content.stop())

const proposer = aProposer(() => content)

/** Makes the database refuse pages in the search index. */
const breakSearch = () =>
  query(
    content.service.db,
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the index is broken'; end $$;
     create trigger refuse before insert on search_pages for each row execute function refuse()`,
  )
const mendSearch = () => query(content.service.db, 'drop function refuse cascade')

it('A projection that fails does not stop the record of paths, and catches up when it works again', async () => {
  const spaceId = await aSpace(content)
  const { db } = content.service
  await handledEvents(db, spaceId)
  await breakSearch()
  await proposer.change(spaceId, insert('Unsearchable'))
  const { revision } = await content.as('read').getSpaceById({ params: { spaceId } })
  const state = async () => {
    const [projection] = await findProjections(db, [spaceId])
    const waiting = await query<{ reaction: string }>(db, 'select distinct reaction from event_reactions')
    return { ...projection, waiting: waiting.map(({ reaction }) => reaction) }
  }
  await eventually(async () =>
    expect(await state()).toMatchObject({ pathsRevision: revision, waiting: ['projection'] }),
  )
  expect((await state()).revision).not.toBe(revision)
  await mendSearch()
  await handledEvents(db)
  expect(await state()).toMatchObject({ revision, pathsRevision: revision, waiting: [] })
})

import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aCollection, aContent, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

type Client = ReturnType<ContentSetup['as']>

/** Requests that are refused to a token of an admin that is limited to a space in a collection. */
const requests: readonly [string, (client: Client, spaceId: string) => Promise<unknown>][] = [
  [
    'transferred',
    (client, spaceId) => client.transferSpace({ params: { spaceId }, body: { organization: 'another' } }),
  ],
  ['duplicated beside itself', (client, spaceId) => client.duplicateSpace({ params: { spaceId } })],
  ['moved among its siblings', (client, spaceId) => client.moveSpace({ params: { spaceId }, body: { position: {} } })],
  [
    'the reason for an upload, when it does not exist',
    client =>
      client.generateStorageUploadURL({
        params: { organizationId: organization },
        body: { file: { name: 'a.pdf', type: 'application/pdf', size: 1 }, kind: 'import_file' },
      }),
  ],
]

it.each(requests)(
  'With a token that is limited, a space is not %s, and the reason is the token',
  async (what, send) => {
    const parent = await aCollection(content)
    const spaceId = await aSpace(content, { parent })
    const resource = what.startsWith('the reason') ? 'nothing' : spaceId
    const limitedTo = { spaces: [resource], collections: [], sites: [] }
    const limited = content.asActor({ ...content.actorOf('admin', { user: 'ada' }), limitedTo })
    const message = expect.stringContaining('The token is limited') as unknown
    await expect(send(limited, spaceId)).rejects.toMatchObject({ code: 'forbidden', message })
  },
)

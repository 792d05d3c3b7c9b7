import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { aWebServer, eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { officialCommandLine, type OfficialCommandLine } from './official-command-line.ts'
import { anOrganization, type Person } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import { aSpecificationText } from './specifications.ts'
import type { Installation } from './stack.ts'

const tool = fetchTool()

let stack: Installation
let organization: { id: string; admin: Person }
beforeAll(async () => {
  stack = await sharedStack()
  organization = await anOrganization(stack)
})
afterAll(() => tool?.remove())

const withTool = tool ? it : it.skip

/** Runs the tool with the endpoint and the token in its environment; `as` is whose token. */
const gitbook = (args: string[], as: { token: string } = organization.admin) =>
  tool?.gitbook({ url: stack.url, token: as.token }, ...args)
const publish = (source: string, spec: string) => ['openapi', 'publish', source, '-s', spec, '-o', organization.id]
const aFile = async (title: string) => {
  const path = join(stack.dataDir, `${organization.id}.json`)
  await writeFile(path, aSpecificationText(title))
  return path
}
const specification = async (slug: string) =>
  (await organization.admin.client.orgs.getOpenApiSpecBySlug(organization.id, slug)).data

function fetchTool(): OfficialCommandLine | undefined {
  try {
    return officialCommandLine()
  } catch (error) {
    console.warn(`skipped, since the command line tool cannot be fetched: ${String(error)}`)
    return undefined
  }
}

describe('The official command line tool, unmodified', () => {
  withTool('tells whose token it has', async () => {
    const { id, email } = organization.admin
    const output = await gitbook(['whoami'])
    expect(output?.split('\n')).toEqual(expect.arrayContaining([`ID: ${id}`, `Email: ${email}`, `API: ${stack.url}`]))
  })

  withTool('says why a token is refused', async () => {
    await expect(gitbook(['whoami'], { token: 'none' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('401'),
    })
  })

  withTool('publishes a specification from a file, and replaces it', async () => {
    for (const title of ['Shop', 'Shop of 2027']) {
      expect(await gitbook(publish(await aFile(title), 'shop'))).toContain('specification "shop" published to http')
      await eventually(async () => expect((await specification('shop')).processingState).toBe('complete'))
    }
    const versions = await organization.admin.client.orgs.listOpenApiSpecVersions(organization.id, 'shop')
    expect(versions.data.items).toHaveLength(2)
  })

  withTool('publishes a specification from an address', async () => {
    const web = await aWebServer()
    web.set({ '/fleet.yaml': aSpecificationText() })
    await gitbook(publish(`${web.url}/fleet.yaml`, 'fleet'))
    await eventually(async () => expect((await specification('fleet')).processingState).toBe('complete'))
    await web.stop()
  })

  withTool('says which organization it may not publish to', async () => {
    const { admin } = await anOrganization(stack)
    const publishing = gitbook(publish(await aFile('Theirs'), 'theirs'), admin)
    await expect(publishing).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('404') })
  })
})

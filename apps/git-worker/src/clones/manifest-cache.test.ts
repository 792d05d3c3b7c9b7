import { afterEach, describe, expect, it } from '@jest/globals'
import { aSetup, knownAfter, type Setup } from '../test/worker-setup.ts'
import { importRepository, type ImportRequest } from '../imports/import-repository.ts'

const open: Setup[] = []
afterEach(async () => {
  for (const setup of open.splice(0)) await setup.stop()
})

const files = {
  'README.md': '# Home\n\n![](.gitbook/assets/a.png)',
  'bad.md': '---\na: [\n---\n# Bad',
  '.gitbook/assets/a.png': 'image',
  '.gitbook/includes/note.md': 'Text',
}

async function aFirstImport() {
  const setup = await aSetup({ change: { files } })
  open.push(setup)
  const { manifest } = await setup.run()
  const importAgain = async (request: Partial<ImportRequest>) => {
    const stages: string[] = []
    const imported = await importRepository(
      {
        organizationId: 'organization',
        spaceId: 'space',
        url: setup.server.url('docs'),
        ref: 'refs/heads/main',
        known: [],
        ...request,
      },
      { ...setup.tools, onProgress: stage => stages.push(stage) },
    )
    const again: unknown = JSON.parse((await setup.blobs.bytes(imported.manifest)).toString())
    return { again, wasRead: stages.includes('content_process') }
  }
  return { manifest, known: knownAfter(manifest), importAgain }
}

describe('Imports of unchanged commits', () => {
  it('The import of an unchanged commit reads no file when content has all of them, and gives the same manifest', async () => {
    const { manifest, known, importAgain } = await aFirstImport()
    const { again, wasRead } = await importAgain({ known })
    expect(wasRead).toBe(false)
    expect(again).toEqual({ ...manifest, bundles: [] })
    expect(manifest.bundles).toHaveLength(1)
    expect(manifest.warnings).toHaveLength(1)
  })

  it.each([
    ['a document', 'isDocument', true],
    ['a file', 'isDocument', undefined],
  ] as const)(
    'The import of an unchanged commit reads the files again when content lacks %s',
    async (...[, field, value]) => {
      const { known, importAgain } = await aFirstImport()
      const lacking = known.findIndex(blob => blob[field] === value)
      expect(lacking).not.toBe(-1)
      expect(await importAgain({ known: known.toSpliced(lacking, 1) })).toMatchObject({ wasRead: true })
    },
  )

  it('The import of an unchanged commit reads the files of another project directory', async () => {
    const { known, importAgain } = await aFirstImport()
    expect(await importAgain({ known, projectDirectory: '.gitbook' })).toMatchObject({ wasRead: true })
  })
})

import { repositories } from '@recto/contracts-content'
import { feature } from '@recto/operation'
import { pastRevision } from '../reading/resolve-revision.ts'
import type { BaseContext } from '../shared/context.ts'
import { presentRepository } from './present-repository.ts'
import { readDocuments } from './revision-documents.ts'

export const repositoryFeature = feature<BaseContext>()(repositories, {
  async getRevisionRepository({ params }, context) {
    const { revision, presentation } = await pastRevision({ ...params, metadata: 'true' }, context)
    return presentRepository(context.db, revision, presentation)
  },

  async listRevisionDocuments({ params, body }, context) {
    const { revision } = await pastRevision({ ...params, metadata: 'true' }, context)
    return { documents: await readDocuments(context.db, revision, body.documents) }
  },
})

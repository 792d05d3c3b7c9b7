import { requireRole, roleBeyondResources } from '@recto/actor'
import { openApiSpecCalls } from '@recto/contracts-openapi-specs-bus'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { presentSpec } from './present-spec.ts'
import { canEditSpecs, canViewSpecs } from './specs.policy.ts'
import { newSpec } from './specs.rules.ts'
import * as repository from './specs.repository.ts'
import * as versions from '../versions/versions.repository.ts'

export const specCallFeature = feature<BaseContext>()(openApiSpecCalls, {
  async describeVersions({ body: { organization, slugs } }, { db }) {
    const specs = await repository.findAll(db, organization, slugs)
    const lastVersions = await versions.findLast(db, specs)
    return {
      versions: specs.flatMap(({ id, slug, lastVersion }) => {
        const outline = lastVersions.find(version => version.id === lastVersion)?.outline
        return outline && lastVersion !== null ? [{ slug, spec: id, version: lastVersion, outline }] : []
      }),
    }
  },

  async createSpecification({ body: { actor, organization, slug, url } }, context) {
    requireRole(actor, organization, canEditSpecs)
    const spec = newSpec(organization, slug, { url })
    await context.transaction(tx => repository.insert(tx, spec, undefined))
    context.processDue()
    return { slug: spec.slug }
  },

  readSpecification: ({ body: { url } }, context) => context.readSpecification(url),

  async describeSpecs({ body: { actor, organization, slugs } }, { db, publicUrl }) {
    const role = roleBeyondResources(actor, organization)
    const specs = canViewSpecs(role) ? await repository.findAll(db, organization, slugs) : []
    return { specs: specs.map(spec => presentSpec(spec, { role, publicUrl })) }
  },
})

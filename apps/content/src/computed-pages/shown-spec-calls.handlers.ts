import { shownSpecCalls } from '@recto/contracts-content-bus'
import { feature } from '@recto/operation'
import { showsSpecification } from '../audience/shows-specification.ts'
import type { BaseContext } from '../shared/context.ts'

export const shownSpecCallFeature = feature<BaseContext>()(shownSpecCalls, {
  async showsSpecification({ body }, context) {
    return { shown: await showsSpecification(context, body) }
  },
})

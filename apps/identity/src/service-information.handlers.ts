import { service } from '@recto/contracts'
import { implement } from '@recto/operation'
import type { Context } from './context.ts'

export const serviceHandlers = implement<Context>()(service, {
  async getApiInformation(_input, { build }) {
    return { version: '1', build }
  },
})

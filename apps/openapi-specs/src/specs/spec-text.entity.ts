import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The source of a specification that came as text. */
export interface SpecTextRow {
  specId: string
  text: string
}

export const SpecTextEntity = new EntitySchema<SpecTextRow>({
  name: 'SpecText',
  tableName: 'openapi_spec_texts',
  columns: {
    specId: { type: 'text', name: 'spec_id', primary: true },
    text: { type: 'text' },
  } satisfies EntityColumns<SpecTextRow>,
})

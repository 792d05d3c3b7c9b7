import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'
import type { Publication } from '../resources/space.entity.ts'

/** The state of a site in content, also of a site without spaces, so that an outdated event is recognised. */
export interface SiteStateRow {
  siteId: string
  /** The highest version of an event so far. */
  version: number
}

export const SiteStateEntity = new EntitySchema<SiteStateRow>({
  name: 'SiteState',
  tableName: 'site_states',
  columns: {
    siteId: { type: 'text', name: 'site_id', primary: true },
    version: { type: 'int' },
  } satisfies EntityColumns<SiteStateRow>,
})

/** A space that a published site shows. */
export interface SitePublicationRow extends Publication {
  siteId: string
  spaceId: string
  /** The root of the site. */
  address: string
}

export const SitePublicationEntity = new EntitySchema<SitePublicationRow>({
  name: 'SitePublication',
  tableName: 'site_publications',
  columns: {
    siteId: { type: 'text', name: 'site_id', primary: true },
    spaceId: { type: 'text', name: 'space_id', primary: true },
    visibility: { type: 'text' },
    url: { type: 'text' },
    address: { type: 'text' },
  } satisfies EntityColumns<SitePublicationRow>,
})

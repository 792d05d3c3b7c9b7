import { EntitySchema } from 'typeorm'
import { describe, expect, it } from '@jest/globals'
import { columnsOf, type EntityColumns } from './index.ts'

interface PageRow {
  id: string
  spaceId: string
  tags: string[]
  size: number
  bytes: Buffer
  isHidden: boolean
  icon: { name: string } | null
  openedAt: Date | null
}

const columns = {
  id: { type: 'text', primary: true },
  spaceId: { type: 'text', name: 'space_id' },
  tags: { type: 'text', array: true },
  size: { type: 'int' },
  bytes: { type: 'bytea' },
  isHidden: { type: 'boolean', name: 'is_hidden' },
  icon: { type: 'jsonb', nullable: true },
  openedAt: { type: 'timestamptz', name: 'opened_at', nullable: true },
} satisfies EntityColumns<PageRow>
const PageEntity = new EntitySchema<PageRow>({ name: 'Page', tableName: 'pages', columns })

describe('columnsOf', () => {
  it('lists all columns of an entity under the names of its properties', () => {
    expect(columnsOf(PageEntity, 'p')).toBe(
      'p.id, p.space_id as "spaceId", p.tags, p.size, p.bytes, p.is_hidden as "isHidden", p.icon, p.opened_at as "openedAt"',
    )
  })

  it('lists selected columns in the requested order', () => {
    expect(columnsOf(PageEntity, 'pages', ['openedAt', 'id'])).toBe('pages.opened_at as "openedAt", pages.id')
  })

  it('throws for a property without a column', () => {
    // @ts-expect-error a column that is not in the entity does not compile
    expect(() => columnsOf(PageEntity, 'p', ['title'])).toThrow('The entity Page has no column for title')
  })
})

// Never called: these compile or they do not.
export function columnsFitTheirRow() {
  const { id, ...others } = columns
  return [
    // @ts-expect-error a property without a column does not compile
    others satisfies EntityColumns<PageRow>,
    // @ts-expect-error a column without a property does not compile
    { ...others, id, title: { type: 'text' } } satisfies EntityColumns<PageRow>,
    // @ts-expect-error a nullable column for a non-nullable property does not compile
    { ...columns, size: { type: 'int', nullable: true } } satisfies EntityColumns<PageRow>,
    // @ts-expect-error a non-nullable column for a nullable property does not compile
    { ...columns, icon: { type: 'jsonb' } } satisfies EntityColumns<PageRow>,
    // @ts-expect-error a column of another type does not compile
    { ...columns, size: { type: 'text' } } satisfies EntityColumns<PageRow>,
    // @ts-expect-error one text where the row has several does not compile
    { ...columns, tags: { type: 'text' } } satisfies EntityColumns<PageRow>,
  ]
}

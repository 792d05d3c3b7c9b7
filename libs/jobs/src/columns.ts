import type { EntitySchema } from 'typeorm'

/** The name of an entity's table. */
export function tableOf<Row>({ options: { name, tableName } }: EntitySchema<Row>): string {
  return tableName ?? name
}

/** The name of the column of a property. */
export function columnOf<Row>({ options }: EntitySchema<Row>, property: keyof Row & string): string {
  return (options.columns[property] as { name?: string } | undefined)?.name ?? property
}

import type { EntitySchema, EntitySchemaColumnOptions } from 'typeorm'

/** The column type that holds values of a property's type. */
type ColumnType<Value> = [Value] extends [string]
  ? { type: 'text'; array?: false }
  : [Value] extends [number]
    ? { type: 'int'; array?: false }
    : [Value] extends [boolean]
      ? { type: 'boolean'; array?: false }
      : [Value] extends [Date]
        ? { type: 'timestamptz'; array?: false }
        : [Value] extends [Buffer]
          ? { type: 'bytea'; array?: false }
          : [Value] extends [readonly string[]]
            ? { type: 'text'; array: true }
            : { type: 'jsonb'; array?: false }

type Nullability<Value> = null extends Value ? { nullable: true } : { nullable?: false }

/**
 * The columns of an entity, for `satisfies`: every property of the row has one, of the type and nullability that hold its values,
 * and there are no others. TypeORM's own type takes any column for any property, and none.
 */
export type EntityColumns<Row> = {
  [Property in keyof Row]-?: EntitySchemaColumnOptions &
    ColumnType<NonNullable<Row[Property]>> &
    Nullability<Row[Property]>
}

/**
 * The select list of an entity's columns, or of some of them, by the alias of its table: `spaces.organization_id as "organizationId", ...`.
 * Meant to be called once, at module load; throws an `Error` for a property without column.
 */
export function columnsOf<Row>(
  entity: EntitySchema<Row>,
  alias: string,
  properties?: readonly (keyof Row & string)[],
): string {
  const columns: Partial<Record<string, EntitySchemaColumnOptions>> = entity.options.columns
  const columnName = (property: string): string => {
    const column = columns[property]
    if (!column) throw new Error(`The entity ${entity.options.name} has no column for ${property}`)
    const { name = property } = column
    return name === property ? `${alias}.${name}` : `${alias}.${name} as "${property}"`
  }
  return (properties ?? Object.keys(columns)).map(columnName).join(', ')
}

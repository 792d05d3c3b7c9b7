export * from './document/schema.ts'
export { tagColors } from './front-matter/tag-colors.ts'
export {
  BlockStep,
  CellChange,
  ColumnStep,
  DocumentDifference,
  FragmentStep,
  GridColumn,
  GridRow,
  PropertyChange,
  RowStep,
  TextStep,
  type BlockChange,
  type ElementChange,
  type InlineNode,
} from './difference/schema.ts'

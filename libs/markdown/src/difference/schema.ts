import { z } from 'zod'
import {
  DocumentBlock,
  DocumentFragment,
  DocumentNode,
  type BlockType,
  type DocumentInline,
  type DocumentText,
  type InlineType,
} from '../document/schema.ts'

/** A field of a node before and after; left out where it is not set. Names are `type`, `isVoid`, and those in `data` and `meta` with a dot before. */
export const PropertyChange = z
  .object({
    name: z.string().describe('Such as `type` or `data.style`'),
    before: z.unknown().optional(),
    after: z.unknown().optional(),
  })
  .meta({
    id: 'DocumentPropertyChange',
    description: 'A field of a node before and after; left out where it is not set',
  })
/** A field of a node before and after. */
export type PropertyChange = z.infer<typeof PropertyChange>

/** Text of a block, and what stands within text. */
export type InlineNode = DocumentText | DocumentInline

/** The fields of a node that differ, and the parts of it that do. */
export interface ElementChange {
  properties?: PropertyChange[] | undefined
  /** The blocks in it. */
  nodes?: BlockStep[] | undefined
  /** The text in it. */
  text?: TextStep[] | undefined
  fragments?: FragmentStep[] | undefined
}

/** A block that both documents have, in another form. */
export interface BlockChange extends ElementChange {
  type: 'change'
  /** Its type afterwards. */
  block: BlockType
  /** Of a table. */
  columns?: ColumnStep[] | undefined
  /** Of a table. */
  rows?: RowStep[] | undefined
}

/** The fate of the next blocks. `move` is the number of blocks that are deleted in one place and inserted in another. */
export type BlockStep =
  | { type: 'equal'; count: number }
  | { type: 'insert'; nodes: DocumentBlock[]; move?: number | undefined }
  | { type: 'delete'; nodes: DocumentBlock[]; move?: number | undefined }
  | BlockChange

/** The fate of the next piece of text. */
export type TextStep =
  | { type: 'equal'; text: InlineNode[] }
  | { type: 'insert'; text: InlineNode[] }
  | { type: 'delete'; text: InlineNode[] }
  | (Omit<ElementChange, 'nodes'> & { type: 'change'; inline: InlineType })

/** The fate of the next fragments of a node, such as a caption. */
export type FragmentStep =
  | { type: 'equal'; count: number }
  | { type: 'insert'; fragments: DocumentFragment[] }
  | { type: 'delete'; fragments: DocumentFragment[] }
  | { type: 'change'; fragment: string; nodes: BlockStep[] }

const counted = z.object({ type: z.literal('equal'), count: z.number().int().describe('How many are the same') })
const move = z
  .number()
  .int()
  .optional()
  .describe('The same number stands where the blocks are deleted and where they are inserted')
const properties = z.array(PropertyChange).optional()

/** The fate of the next blocks. */
export const BlockStep: z.ZodType<BlockStep> = z
  .lazy(() => blockStep)
  .meta({ id: 'DocumentBlockStep', description: 'What happens to the next blocks of the first document' })
/** The fate of the next piece of text. */
export const TextStep: z.ZodType<TextStep> = z
  .lazy(() => textStep)
  .meta({ id: 'DocumentTextStep', description: 'What happens to the next piece of text, which it repeats' })
/** The fate of the next fragments of a node. */
export const FragmentStep: z.ZodType<FragmentStep> = z
  .lazy(() => fragmentStep)
  .meta({ id: 'DocumentFragmentStep', description: 'What happens to the next fragments of a node, such as a caption' })

/** A column of a table: its definition, and its title with its format. */
export const GridColumn = z
  .object({
    id: z.string(),
    definition: z.record(z.string(), z.unknown()),
    title: z.array(DocumentBlock).optional(),
  })
  .meta({ id: 'DocumentTableColumn', description: 'A column of a table, its title with its format' })
/** A column of a table. */
export type GridColumn = z.infer<typeof GridColumn>

/** A row of a table: the blocks of its cells of text, and the values of the others. */
export const GridRow = z
  .object({
    id: z.string(),
    texts: z.record(z.string(), z.array(DocumentBlock)).describe('By the id of their column'),
    values: z.record(z.string(), z.unknown()).describe('By the id of their column'),
    labels: z.record(z.string(), z.unknown()).optional().describe('Labels of cells, by the id of their column'),
  })
  .meta({ id: 'DocumentTableRow', description: 'A row of a table' })
/** A row of a table. */
export type GridRow = z.infer<typeof GridRow>

/** The fate of the next columns of a table. */
export const ColumnStep = z
  .discriminatedUnion('type', [
    counted,
    z.object({ type: z.literal('insert'), columns: z.array(GridColumn) }),
    z.object({ type: z.literal('delete'), columns: z.array(GridColumn) }),
    z.object({ type: z.literal('change'), before: GridColumn, after: GridColumn }),
  ])
  .meta({ id: 'DocumentColumnStep', description: 'What happens to the next columns of a table' })
/** The fate of the next columns of a table. */
export type ColumnStep = z.infer<typeof ColumnStep>

/** The fate of a cell of a row. */
export const CellChange = z
  .object({
    column: z.string(),
    nodes: z.array(BlockStep).optional().describe('Of a cell of text'),
    before: z.unknown().optional().describe('The value of another cell; left out where it is empty'),
    after: z.unknown().optional(),
  })
  .meta({ id: 'DocumentCellChange', description: 'What happens to a cell of a row' })
/** The fate of a cell of a row. */
export type CellChange = z.infer<typeof CellChange>

/** The fate of the next rows of a table. */
export const RowStep = z
  .discriminatedUnion('type', [
    counted,
    z.object({ type: z.literal('insert'), rows: z.array(GridRow).describe('The new rows') }),
    z.object({ type: z.literal('delete'), rows: z.array(GridRow).describe('The rows that are gone') }),
    z.object({
      type: z.literal('change'),
      before: z.string().describe('The id of the row in the first document'),
      after: z.string().describe('Its id in the second one'),
      cells: z.array(CellChange).describe('The cells that differ'),
      labels: z
        .object({ before: GridRow.shape.labels, after: GridRow.shape.labels })
        .optional()
        .describe('The labels of both rows, where they differ'),
    }),
  ])
  .meta({ id: 'DocumentRowStep', description: 'What happens to the next rows of a table' })
/** The fate of the next rows of a table. */
export type RowStep = z.infer<typeof RowStep>

const elementChange = {
  properties,
  text: z.array(TextStep).optional().describe('Of the text in it'),
  fragments: z.array(FragmentStep).optional(),
}

const blockStep = z.discriminatedUnion('type', [
  counted,
  z.object({ type: z.enum(['insert', 'delete']), nodes: z.array(DocumentBlock), move }),
  z.object({
    type: z.literal('change'),
    block: z.string().describe('The type of the block afterwards'),
    ...elementChange,
    nodes: z.array(BlockStep).optional().describe('Of the blocks in it'),
    columns: z.array(ColumnStep).optional().describe('Of a table'),
    rows: z.array(RowStep).optional().describe('Of a table'),
  }),
]) as unknown as z.ZodType<BlockStep>

const textStep = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['equal', 'insert', 'delete']), text: z.array(DocumentNode) }),
  z.object({ type: z.literal('change'), inline: z.string().describe('The type of the inline'), ...elementChange }),
]) as unknown as z.ZodType<TextStep>

const fragmentStep = z.discriminatedUnion('type', [
  counted,
  z.object({ type: z.enum(['insert', 'delete']), fragments: z.array(DocumentFragment) }),
  z.object({ type: z.literal('change'), fragment: z.string(), nodes: z.array(BlockStep) }),
]) as unknown as z.ZodType<FragmentStep>

/** The difference of two documents: what happens to the blocks of the first one until it is the second one. */
export const DocumentDifference = z
  .object({ nodes: z.array(BlockStep).describe('In their order; none for documents that are the same') })
  .meta({
    id: 'DocumentDifference',
    description:
      'The difference of two documents: what happens to the blocks of the first one until it is the second one',
  })
/** The difference of two documents. */
export type DocumentDifference = z.infer<typeof DocumentDifference>

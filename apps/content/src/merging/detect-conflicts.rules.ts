import type { DetectedConflict, MergeInput } from './conflict.ts'
import { fileConflicts, reusableConflicts } from './merge-file.rules.ts'
import { pageConflicts } from './merge-page.rules.ts'
import { configurationConflicts, variableConflicts } from './merge-values.rules.ts'
import { MergedDocuments } from './merged-documents.ts'
import { type SideDifferences, type Sides, sidesById } from './three-way.ts'

/**
 * The first pass of a merge finds the values that both sides changed differently. These conflicts follow from the contents alone; the
 * conflicts of the tree and its paths depend on how these are settled, so the second pass finds them.
 */
export function detectConflicts(input: MergeInput): DetectedConflict[] {
  const { pages, files, reusable, variables, configuration } = input
  const documents = new MergedDocuments(input.documents, input.mergedTexts)
  return [
    ...conflictsOfEach(files, fileConflicts),
    ...conflictsOfEach(reusable, (id, sides) => reusableConflicts(id, sides, documents)),
    ...conflictsOfEach(pages, (id, sides) => pageConflicts(id, sides, { documents, trees: pages })),
    ...variableConflicts(variables),
    ...configurationConflicts(configuration),
  ]
}

function conflictsOfEach<Row>(
  differences: SideDifferences<Row>,
  conflictsOf: (id: string, sides: Sides<Row>) => DetectedConflict[],
): DetectedConflict[] {
  return Array.from(sidesById(differences)).flatMap(([id, sides]) => conflictsOf(id, sides))
}

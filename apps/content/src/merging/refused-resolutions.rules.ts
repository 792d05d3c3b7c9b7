import { type DetectedConflict, type RefusedResolution, type Resolution, subjectKey } from './conflict.ts'

/** The conflicts of a merge. */
interface Conflicts {
  /** The conflicts that the merge finds with its resolutions. */
  conflicts: readonly DetectedConflict[]
  /** The conflicts that the merge finds without resolutions. */
  unresolved(): readonly DetectedConflict[]
  textFaults: ReadonlyMap<string, string>
}

/** The resolutions that have a fault, repeat another, or settle nothing. */
export function refusedResolutions(
  resolutions: readonly Resolution[],
  { textFaults, ...conflicts }: Conflicts,
): RefusedResolution[] {
  return resolutions.flatMap((resolution): RefusedResolution[] => {
    const isRepeated = resolutions.find(other => isLike(resolution, other)) !== resolution
    if (isRepeated) return [{ resolution, reason: 'is given twice' }]
    const textFault = 'markdown' in resolution ? textFaults.get(resolution.page ?? '') : undefined
    if (textFault !== undefined) return [{ resolution, reason: textFault }]
    return settlesConflict(resolution, conflicts) ? [] : [{ resolution, reason: 'settles no conflict' }]
  })
}

function isLike(resolution: Resolution, other: Resolution): boolean {
  return 'take' in other === 'take' in resolution && subjectKey(other) === subjectKey(resolution)
}

/** Whether a resolution settles a conflict, also one that another resolution settles or that only another choice of sides causes. */
function settlesConflict(
  resolution: Resolution,
  { conflicts, unresolved }: Pick<Conflicts, 'conflicts' | 'unresolved'>,
): boolean {
  const key = subjectKey(resolution)
  const isOfSubject = ({ conflict }: DetectedConflict) => subjectKey(conflict) === key
  if ('take' in resolution)
    return conflicts.some(each => each.settledBy !== 'none' && isOfSubject(each)) || unresolved().some(isOfSubject)
  const isOfText = ({ conflict: { kind } }: DetectedConflict) => kind === 'text' || kind === 'deleted'
  return (
    conflicts.some(each => each.settledBy === 'side or text' && isOfSubject(each)) ||
    unresolved().some(each => isOfText(each) && isOfSubject(each))
  )
}

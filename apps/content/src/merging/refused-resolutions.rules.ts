import { type DetectedConflict, type RefusedResolution, type Resolution, subjectKey } from './conflict.ts'

/** The conflicts of a merge. */
interface Conflicts {
  /** Those that the merge met with its resolutions. */
  conflicts: readonly DetectedConflict[]
  /** Those that it meets without any. */
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

/** A resolution may settle a conflict that another one settles too, or that comes only from taking the other side elsewhere. */
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

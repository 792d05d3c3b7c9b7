/** A subquery for the revision (`revision`) that the projections of each space (`space_id`) show; null when nothing is projected. */
export const projectedRevisions = 'select space_id, revision from main_projections'

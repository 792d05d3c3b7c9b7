/** A subquery for the stored number of comments (`comments`) of each change request (`id`). */
export const commentCounts = 'select id, comments from change_requests'

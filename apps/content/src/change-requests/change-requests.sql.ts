/** A subquery for the number of comments (`comments`) that each change request (`id`) shows. */
export const shownComments = 'select id, comments from change_requests'

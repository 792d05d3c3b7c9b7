/** Condition that a user was asked to review a change request and has not done so; both are SQL, and a user who is null always meets it. */
export function isReviewRequestedSql({ changeRequest, user }: { changeRequest: string; user: string }): string {
  return `(${user}::text is null or exists (select from requested_reviewers requested
    where requested.change_request_id = ${changeRequest} and requested.user_id = ${user}))`
}

import type { MergeRule, OrganizationMergeRules } from '@recto/contracts-shared'
import { evaluate } from '@recto/expressions'
import type { z } from 'zod'
import type { ReviewRow } from '../../reviews/review.entity.ts'

type Rule = z.output<typeof MergeRule>

/** A review as rules see it. */
export interface RuleReview extends Pick<ReviewRow, 'reviewer' | 'status'> {
  /** Whether the content has changed since. */
  outdated: boolean
}

/** The attempt that merge rules judge. */
export interface MergeAttempt {
  changeRequest: {
    number: number
    status: string
    subject: string
    /** The text of the description. */
    description: string
    createdBy: string
    comments: number
    outdated: boolean
  }
  /** The latest review of each reviewer. */
  reviews: RuleReview[]
  actor: { id: string; role: string }
}

/** A rule that a merge does not pass. */
export interface FailedRule {
  /** Index among the rules. */
  at: number
  rule: Rule['rule']
  message: string
}

/** The rules that a merge fails, in their order. A bypass frees its users from the rules before it. */
export function failedRules(
  configuration: z.output<typeof OrganizationMergeRules>,
  attempt: MergeAttempt,
): FailedRule[] {
  let failed: FailedRule[] = []
  for (const [at, rule] of (configuration.type === 'rules' ? configuration.rules : []).entries()) {
    if (rule.rule === 'allow_bypass') {
      if (rule.users.includes(attempt.actor.id)) failed = []
      continue
    }
    const message = faultOf(rule, attempt)
    if (message !== undefined) failed.push({ at, rule: rule.rule, message })
  }
  return failed
}

/**
 * The reviews that count: all but those of the author of the change request. An approval is of the content that was reviewed; a request
 * for changes stands until its reviewer approves, whatever the content is since.
 */
function countedReviews({ reviews, changeRequest }: MergeAttempt): { approvers: string[]; refusals: RuleReview[] } {
  const counted = reviews.filter(({ reviewer }) => reviewer !== changeRequest.createdBy)
  const approvals = counted.filter(({ status, outdated }) => status === 'approved' && !outdated)
  return {
    approvers: approvals.map(({ reviewer }) => reviewer),
    refusals: counted.filter(({ status }) => status === 'changes-requested'),
  }
}

function faultOf(rule: Exclude<Rule, { rule: 'allow_bypass' }>, attempt: MergeAttempt): string | undefined {
  const { changeRequest } = attempt
  const { approvers, refusals } = countedReviews(attempt)
  const unless = (isPassed: boolean, message: string) => (isPassed ? undefined : message)
  switch (rule.rule) {
    case 'require_at_least_one_review':
      return unless(
        approvers.length > 0 || refusals.some(({ outdated }) => !outdated),
        'needs a review of its current content',
      )
    case 'require_at_least_one_approved_review':
      return unless(approvers.length > 0, 'needs an approval of its current content')
    case 'require_all_reviews_approved':
      return unless(
        refusals.length === 0,
        'has a review that requests changes, and its reviewer has not approved since',
      )
    case 'require_specific_reviewers':
      return unless(
        rule.users.every(user => approvers.includes(user)),
        'needs the approval of all reviewers that the rule names',
      )
    case 'require_one_of_specific_reviewers':
      return unless(
        rule.users.some(user => approvers.includes(user)),
        'needs the approval of one of the reviewers that the rule names',
      )
    case 'require_agent_review':
      return 'needs the review of an agent, and there are no agents'
    case 'require_up_to_date_change_request':
      return unless(!changeRequest.outdated, 'must be updated with main content first')
    case 'require_change_request_subject':
      return unless(changeRequest.subject.trim() !== '', 'needs a subject')
    case 'require_change_request_description':
      return unless(changeRequest.description.trim() !== '', 'needs a description')
    case 'require_author_to_merge':
      return unless(attempt.actor.id === changeRequest.createdBy, 'is merged by its author only')
    case 'custom':
      return expressionFault(rule, attempt)
  }
}

/** The reason why an expression of the rules is not true, in the words of the rule if it has some. An expression sees all reviews, and authors by their ids. */
function expressionFault(
  { expression, message }: Extract<Rule, { rule: 'custom' }>,
  { changeRequest, reviews, actor }: MergeAttempt,
): string | undefined {
  const scope = {
    changeRequest: { ...changeRequest, createdBy: { id: changeRequest.createdBy } },
    reviews: reviews.map(({ reviewer, ...review }) => ({ ...review, reviewer: { id: reviewer } })),
    actor: { ...actor },
  }
  const result = evaluate(expression, scope)
  if (!result.ok) return message ?? `does not pass ${expression}: ${result.message}`
  return result.value === true ? undefined : (message ?? `does not pass ${expression}`)
}

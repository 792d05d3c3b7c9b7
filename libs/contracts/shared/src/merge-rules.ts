import { z } from 'zod'
import { expressionFault } from '@recto/expressions'
import { Id, text } from './conventions.ts'

/** Limits of merge rules: rules of one configuration, users of one rule, characters of an expression. */
export const mergeRuleLimits = { rules: 50, users: 100, expression: 1_024, message: 512 }

const Users = z.array(Id).max(mergeRuleLimits.users).describe('Ids of users')

/** A rule that a merge must pass. */
export const MergeRule = z
  .discriminatedUnion('rule', [
    z.object({ rule: z.enum(['require_specific_reviewers', 'require_one_of_specific_reviewers']), users: Users }),
    z.object({
      rule: z.literal('allow_bypass'),
      users: Users.describe('Ids of users who may merge although rules before this one fail'),
    }),
    z.object({
      rule: z.enum([
        'require_at_least_one_review',
        'require_at_least_one_approved_review',
        'require_all_reviews_approved',
        'require_agent_review',
        'require_up_to_date_change_request',
        'require_change_request_subject',
        'require_change_request_description',
        'require_author_to_merge',
      ]),
    }),
    z.object({
      rule: z.literal('custom'),
      expression: text({ min: 1, max: mergeRuleLimits.expression })
        .refine(source => expressionFault(source) === undefined, 'must be an expression')
        .describe('Expression over `changeRequest`, `reviews` and `actor`; the merge passes when it is true'),
      message: text({ min: 1, max: mergeRuleLimits.message })
        .optional()
        .describe('What is said when the expression is not true'),
    }),
  ])
  .meta({ id: 'MergeRule', description: 'A rule that a merge must pass' })

const Rules = z.object({ type: z.literal('rules'), rules: z.array(MergeRule).max(mergeRuleLimits.rules) })
const None = z.object({ type: z.literal('none') })

/** The rules of every merge in an organization, unless a space has its own. */
export const OrganizationMergeRules = z
  .discriminatedUnion('type', [None, Rules])
  .meta({ id: 'MergeRulesStandaloneConfiguration', description: 'Rules that every merge must pass, in their order' })

/** The rules of every merge in a space. */
export const SpaceMergeRules = z
  .discriminatedUnion('type', [z.object({ type: z.literal('inherit') }), None, Rules])
  .meta({
    id: 'MergeRulesSpaceConfiguration',
    description: 'Rules that every merge in the space must pass; `inherit` takes those of the organization',
  })

/** The users that merge rules name, with the place of each in a request (`body.mergeRules.rules.0.users.1`). */
export function usersOfMergeRules(
  configuration: z.output<typeof SpaceMergeRules> | undefined,
): { path: string; user: string }[] {
  const rules = configuration?.type === 'rules' ? configuration.rules : []
  return rules.flatMap((rule, at) =>
    'users' in rule
      ? rule.users.map((user, number) => ({ path: `body.mergeRules.rules.${at}.users.${number}`, user }))
      : [],
  )
}

import { describe, expect, it } from '@jest/globals'
import { failedRules, type MergeAttempt, type RuleReview } from './merge-rules.rules.ts'

type Rule = Extract<Parameters<typeof failedRules>[0], { type: 'rules' }>['rules'][number]

const approved = (reviewer: string, outdated = false): RuleReview => ({ reviewer, status: 'approved', outdated })
const refused = (reviewer: string, outdated = false): RuleReview => ({
  reviewer,
  status: 'changes-requested',
  outdated,
})

function anAttempt(changes: Partial<MergeAttempt['changeRequest']> & { reviews?: RuleReview[] } = {}): MergeAttempt {
  const { reviews = [], ...fields } = changes
  return {
    changeRequest: {
      number: 7,
      status: 'open',
      subject: 'Typos',
      description: 'Why',
      createdBy: 'ada',
      comments: 0,
      outdated: false,
      ...fields,
    },
    reviews,
    actor: { id: 'max', role: 'review' },
  }
}

const one: Rule = { rule: 'require_at_least_one_review' }
const approval: Rule = { rule: 'require_at_least_one_approved_review' }
const author: Rule = { rule: 'require_author_to_merge' }
const all: Rule = { rule: 'require_all_reviews_approved' }
const both: Rule = { rule: 'require_specific_reviewers', users: ['bob', 'eve'] }
const either: Rule = { rule: 'require_one_of_specific_reviewers', users: ['bob', 'eve'] }
const current: Rule = { rule: 'require_up_to_date_change_request' }
const subject: Rule = { rule: 'require_change_request_subject' }
const description: Rule = { rule: 'require_change_request_description' }
const custom = (expression: string): Rule => ({ rule: 'custom', expression })

describe('a rule', () => {
  it.each<[string, Rule, MergeAttempt, boolean]>([
    ['one review, of a review', one, anAttempt({ reviews: [refused('bob')] }), true],
    ['one review, of none', one, anAttempt(), false],
    ['one review, of an outdated one', one, anAttempt({ reviews: [approved('bob', true)] }), false],
    ['one review, of an outdated refusal', one, anAttempt({ reviews: [refused('bob', true)] }), false],
    ['one review, of its author', one, anAttempt({ reviews: [approved('ada')] }), false],
    ['one approval, of one', approval, anAttempt({ reviews: [approved('bob'), refused('eve')] }), true],
    ['one approval, of a refusal', approval, anAttempt({ reviews: [refused('bob')] }), false],
    ['one approval, of an outdated one', approval, anAttempt({ reviews: [approved('bob', true)] }), false],
    ['one approval, of its author', approval, anAttempt({ reviews: [approved('ada')] }), false],
    ['its author, of another', author, anAttempt(), false],
    ['its author, of the author', author, anAttempt({ createdBy: 'max' }), true],
    ['all approved, of none', all, anAttempt(), true],
    ['all approved, of approvals', all, anAttempt({ reviews: [approved('bob'), approved('eve')] }), true],
    ['all approved, of one that is not', all, anAttempt({ reviews: [approved('bob'), refused('eve')] }), false],
    ['all approved, of an outdated refusal', all, anAttempt({ reviews: [refused('bob', true)] }), false],
    [
      'all approved, of an outdated refusal and a current approval',
      all,
      anAttempt({ reviews: [refused('bob', true), approved('eve')] }),
      false,
    ],
    ['all approved, of an outdated approval', all, anAttempt({ reviews: [approved('bob', true)] }), true],
    ['all approved, of what its author refused', all, anAttempt({ reviews: [refused('ada', true)] }), true],
    ['two reviewers, of both', both, anAttempt({ reviews: [approved('bob'), approved('eve')] }), true],
    ['two reviewers, of one', both, anAttempt({ reviews: [approved('bob'), approved('zoe')] }), false],
    ['two reviewers, of one who refuses', both, anAttempt({ reviews: [approved('bob'), refused('eve')] }), false],
    ['one of two, of one', either, anAttempt({ reviews: [approved('eve')] }), true],
    ['one of two, of another', either, anAttempt({ reviews: [approved('zoe')] }), false],
    ['an agent', { rule: 'require_agent_review' }, anAttempt({ reviews: [approved('bob')] }), false],
    ['up to date', current, anAttempt(), true],
    ['up to date, of an outdated one', current, anAttempt({ outdated: true }), false],
    ['a subject', subject, anAttempt(), true],
    ['a subject, of a blank one', subject, anAttempt({ subject: ' ' }), false],
    ['a description', description, anAttempt(), true],
    ['a description, of none', description, anAttempt({ description: '' }), false],
    ['an expression', custom('changeRequest.number == 7 && actor.id == "max"'), anAttempt(), true],
    [
      'an expression over reviews',
      custom('reviews.length > 0 && reviews[0].reviewer.id == "bob"'),
      anAttempt({ reviews: [approved('bob')] }),
      true,
    ],
    ['an expression that is not true', custom('changeRequest.subject'), anAttempt(), false],
    ['an expression that cannot be evaluated', custom('changeRequest.nothing.more'), anAttempt(), false],
  ])('The result of a merge rule: %s', (_name, rule, attempt, passes) => {
    const failed = failedRules({ type: 'rules', rules: [rule] }, attempt)
    expect(failed.map(({ at }) => at)).toEqual(passes ? [] : [0])
  })
})

describe('rules', () => {
  const bypass: Rule = { rule: 'allow_bypass', users: ['max'] }
  it.each<[string, Parameters<typeof failedRules>[0], number[]]>([
    ['none', { type: 'none' }, []],
    ['without rules', { type: 'rules', rules: [] }, []],
    ['must all pass', { type: 'rules', rules: [one, subject, both] }, [0, 2]],
    ['before a bypass are forgiven', { type: 'rules', rules: [one, both, bypass] }, []],
    ['after a bypass are not', { type: 'rules', rules: [one, bypass, both] }, [2]],
    ['before the bypass of others are not', { type: 'rules', rules: [one, { ...bypass, users: ['bob'] }] }, [0]],
  ])('The merge rules that fail: %s', (_name, rules, failed) => {
    expect(failedRules(rules, anAttempt()).map(({ at }) => at)).toEqual(failed)
  })
})

it.each(['changeRequest.subject', 'changeRequest.nothing.more'])(
  'A rule whose expression %s is not true says so in its own words',
  expression => {
    const rules = [{ rule: 'custom' as const, expression, message: 'must be approved by the security team' }]
    expect(failedRules({ type: 'rules', rules }, anAttempt())).toMatchObject([{ message: rules[0]?.message }])
  },
)

import { describe, expect, it } from '@jest/globals'
import { planSignIn } from './account.rules.ts'

describe('planSignIn', () => {
  it.each<[string, Parameters<typeof planSignIn>[0], ReturnType<typeof planSignIn>]>([
    ['an SSO member enters', { sso: true, disabled: false }, 'signIn'],
    ['a member who is no SSO member is not linked', { sso: false, disabled: false }, 'not_sso_member'],
    ['a user of elsewhere is not linked', undefined, 'outside'],
    ['who is disabled stays outside', { sso: true, disabled: true }, 'disabled_member'],
    ['who is disabled and no SSO member, too', { sso: false, disabled: true }, 'disabled_member'],
  ])('%s', (_case, member, plan) => {
    expect(planSignIn(member)).toBe(plan)
  })
})

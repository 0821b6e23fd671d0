import { OAuthError } from './oauth-error.ts'

/** Which words there are (spec §5, OAuth 7): the marketplace names them, the rules are here. */
export type ScopeRules = {
  readonly all: readonly string[]
  /** Always offered and ticked beforehand. */
  readonly basic: readonly string[]
  /** Consented to in a box of its own, with limits; lives shorter, and no refresh renews it. */
  readonly approve: string
}

/** The scopes that were asked for; the basic ones when none was. @throws OAuthError invalid_scope */
export function readScope(text: string | undefined, rules: ScopeRules): readonly string[] {
  if (text === undefined) return rules.basic
  const asked = [...new Set(text.split(' ').filter((word) => word !== ''))]
  if (asked.length === 0) return rules.basic
  if (!asked.every((scope) => rules.all.includes(scope)))
    throw new OAuthError('invalid_scope', `the scopes here are ${rules.all.join(' ')}`)
  return asked
}

/** What the page may offer: the basic scopes whatever was asked; the limited one with its own box. */
export function isGrantable(scope: string, rules: ScopeRules): boolean {
  return scope === rules.approve || rules.basic.includes(scope)
}

/** The ticked scopes in their usual order, without what a token never carries. */
export function grantedScopes(ticked: readonly string[], rules: ScopeRules): readonly string[] {
  return rules.all.filter((scope) => ticked.includes(scope) && isGrantable(scope, rules))
}

/** What a refresh may carry on. */
export function renewableScopes(scopes: readonly string[], rules: ScopeRules): readonly string[] {
  return scopes.filter((scope) => scope !== rules.approve)
}

import { runSettings, type RunConfigKey } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { numberTyped } from '../../../lib/number-typed.ts'

export type RunSetting = Output<'admin.readConfig'>['settings'][number]
export type Bounds = { readonly min: number; readonly max: number }

/**
 * Between which numbers a setting may be put; undefined for what is on or off. The bounds of bounties only narrow what
 * the deployment set, and never cross (decision 0058).
 */
export function boundsOf(key: RunConfigKey, settings: readonly RunSetting[]): Bounds | undefined {
  const { schema } = runSettings[key]
  const min: unknown = Reflect.get(schema, 'minimum')
  const max: unknown = Reflect.get(schema, 'maximum')
  if (typeof min !== 'number' || typeof max !== 'number') return undefined
  const widest = { min, max }
  const number = (of: RunConfigKey, which: 'value' | 'default', otherwise: number): number => {
    const said = settings.find((one) => one.key === of)?.[which]
    return typeof said === 'number' ? said : otherwise
  }
  if (key === 'bounty.min_usd')
    return { min: number(key, 'default', widest.min), max: number('bounty.max_usd', 'value', widest.max) }
  if (key === 'bounty.max_usd')
    return { min: number('bounty.min_usd', 'value', widest.min), max: number(key, 'default', widest.max) }
  return widest
}

export const isDollars = (key: RunConfigKey): boolean => key.endsWith('_usd')
export const isRate = (key: RunConfigKey): boolean => key.startsWith('rates.')

export type ValueFault =
  'noNumber' | 'whole' | 'decimals' | { readonly rule: 'too_small' | 'too_large'; readonly limit: number }

/** What was typed as the number of a setting, or what is wrong with it. */
export function readNumber(
  key: RunConfigKey,
  typed: string,
  { min, max }: Bounds,
  locale: string,
): { readonly value: number } | { readonly fault: ValueFault } {
  const value = numberTyped(typed, locale)
  if (typeof value !== 'number' || value < 0) return { fault: 'noNumber' }
  if (isRate(key) && !Number.isInteger(value)) return { fault: 'whole' }
  if (/[.,]\d{7}/.test(typed)) return { fault: 'decimals' }
  if (value < min) return { fault: { rule: 'too_small', limit: min } }
  if (value > max) return { fault: { rule: 'too_large', limit: max } }
  return { value }
}

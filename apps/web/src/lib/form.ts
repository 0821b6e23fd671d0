import { operations, type OperationName } from '@ergon/contract'
import { ErgonError } from '@ergon/sdk'
import { Errors } from 'typebox/value'
import { useCallback, useEffect, useState } from 'react'

/** What is wrong with one field: the rule that it breaks, and the figure of that rule. */
export type FieldFault = { readonly rule: FaultRule; readonly limit?: number | string }
export type FaultRule = 'required' | 'too_short' | 'too_long' | 'too_small' | 'too_large' | 'too_many' | 'too_few' | 'not_listed' | 'malformed'
export type FieldFaults = Readonly<Record<string, FieldFault>>

const rules: Readonly<Record<string, readonly [rule: FaultRule, param: string | undefined]>> = {
  required: ['required', undefined],
  minLength: ['too_short', 'limit'],
  maxLength: ['too_long', 'limit'],
  minimum: ['too_small', 'limit'],
  exclusiveMinimum: ['too_small', 'limit'],
  maximum: ['too_large', 'limit'],
  exclusiveMaximum: ['too_large', 'limit'],
  maxItems: ['too_many', 'limit'],
  minItems: ['too_few', 'limit'],
  enum: ['not_listed', undefined],
  const: ['not_listed', undefined],
}

/** Holds what was filled in against the schema of the operation, so that a limit is written once. Empty when all is well. */
export function faultsOf(name: OperationName, input: Readonly<Record<string, unknown>>): FieldFaults {
  const faults: Record<string, FieldFault> = {}
  for (const { keyword, instancePath, params } of Errors(operations[name].input, input)) {
    const told = params as Readonly<Record<string, unknown>>
    if (keyword === 'required') {
      for (const field of Array.isArray(told['requiredProperties']) ? told['requiredProperties'] : []) faults[`${dotted(instancePath)}${dotted(instancePath) === '' ? '' : '.'}${String(field)}`] ??= { rule: 'required' }
      continue
    }
    const field = dotted(instancePath)
    if (field === '') continue
    const [rule, param] = rules[keyword] ?? ['malformed', undefined]
    const limit = param === undefined ? undefined : told[param]
    faults[field] ??= { rule, ...(typeof limit === 'number' || typeof limit === 'string' ? { limit } : {}) }
  }
  return faults
}

const dotted = (pointer: string): string => pointer.slice(1).replaceAll('/', '.')

/** The fields that a refusal of the service names (spec §7: what, which constraint). */
export function faultsSaid(error: unknown): FieldFaults {
  if (!(error instanceof ErgonError)) return {}
  const named = error.details['errors'] ?? error.details['fields']
  const list: readonly unknown[] = Array.isArray(named) ? named : [error.details]
  const faults: Record<string, FieldFault> = {}
  for (const one of list) {
    const field: unknown = typeof one === 'object' && one !== null ? Reflect.get(one, 'field') : undefined
    if (typeof field === 'string' && field !== '') faults[field] ??= { rule: 'malformed' }
  }
  return faults
}

/**
 * What a person typed, kept in this browser until it is sent: a reload, a lost network or a refusal costs nothing
 * of it. `forget` when it has been sent.
 */
export function useDraft<T extends object>(name: string, empty: T): readonly [draft: T, change: (part: Partial<T>) => void, forget: () => void] {
  const key = `ergon.draft.${name}`
  const [draft, setDraft] = useState<T>(() => ({ ...empty, ...readDraft<T>(key) }))
  useEffect(() => {
    try {
      localStorage.setItem(key, JSON.stringify(draft))
    } catch {
      // A full or forbidden storage: the draft lives as long as the page.
    }
  }, [key, draft])
  const change = useCallback((part: Partial<T>) => { setDraft((known) => ({ ...known, ...part })) }, [])
  const forget = useCallback(() => {
    setDraft(empty)
    localStorage.removeItem(key)
  }, [key, empty])
  return [draft, change, forget]
}

function readDraft<T>(key: string): Partial<T> {
  try {
    // This browser wrote it from a T; what a newer form added is filled in from `empty`.
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<T>
  } catch {
    return {}
  }
}

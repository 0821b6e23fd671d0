import { useCallback } from 'react'
import { faultMessages } from '../messages/faults.ts'
import type { FieldFaults } from './field-faults.ts'
import { useMessages } from './i18n.tsx'

/** What is wrong with a field, in the reader's language; undefined when nothing is. */
export function useFaultTexts(faults: FieldFaults): (field: string) => string | undefined {
  const say = useMessages(faultMessages)
  return useCallback(
    (field) => {
      // A list is also wrong when one of its entries is.
      const fault = faults[field] ?? Object.entries(faults).find(([name]) => name.startsWith(`${field}.`))?.[1]
      return fault === undefined ? undefined : say(fault.rule, { limit: fault.limit ?? 0 })
    },
    [faults, say],
  )
}

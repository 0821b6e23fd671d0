import { taskStatuses } from '@ergon/contract'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { commonMessages } from '../../../messages/common-messages.ts'
import { wordMessages } from '../../../messages/words.ts'
import type { AuditLine } from './changes-of.ts'
import { auditMessages } from './messages.ts'
import { toldOf } from './told-of.ts'

type Value = AuditLine['before'][string] | undefined

/** Settings that are wallets with commas between; which wallets they are is said behind the details. */
const walletLists: ReadonlySet<string> = new Set(['disputes.arbiters'])

/** A change as a sentence. */
export function useTold(): (line: AuditLine) => string | undefined {
  const say = useMessages(auditMessages)
  const words = useMessages(wordMessages)
  const setting = useSettingWords()
  const status = (value: Value): string => {
    const known = taskStatuses.find((one) => one === value)
    return known === undefined ? String(value) : words(`status.${known}`)
  }
  return (line) => {
    const told = toldOf(line)
    if (told === undefined) return undefined
    switch (told.says) {
      case 'config':
        return say('told.config', { from: setting(line.subject, told.from), to: setting(line.subject, told.to) })
      case 'force':
      case 'forceRefund':
        return say(`told.${told.says}`, { from: status(told.from), to: status(told.to) })
      case 'elapse':
        return say('told.elapse', { n: told.hours })
      case 'split':
        return say('told.split', { pct: told.payerPct })
      default:
        return say(`told.${told.says}`)
    }
  }
}

function useSettingWords(): (key: string, value: Value) => string {
  const say = useMessages(auditMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  return (key, value) => {
    if (value === null || value === undefined) return say('deployed')
    if (typeof value === 'boolean') return common(value ? 'yes' : 'no')
    if (typeof value === 'number')
      return key.endsWith('_usd') ? format.usd(value) : format.number(value, { maximumFractionDigits: 6 })
    return walletLists.has(key) ? say('wallets', { n: value.split(',').filter(Boolean).length }) : value
  }
}

import { limits } from '@ergon/contract'
import type { Search } from '../../../lib/search.ts'

/** Which part of the log an address asks for. */
export type AuditPage = { readonly subject: string | undefined; readonly offset: number }

/** As long as the operation takes it. */
export const subjectMax = 100

/** What no address of ours says, such as a place before the first line, is read as the beginning. */
export function readAddress({ subject = '', offset = '' }: Search): AuditPage {
  const about = subject.trim().slice(0, subjectMax)
  return { subject: about === '' ? undefined : about, offset: /^\d{1,6}$/.test(offset) ? Math.min(Number(offset), limits.offsetMax) : 0 }
}

export function toAddress({ subject, offset }: AuditPage): Record<string, string> {
  return { ...(subject === undefined ? {} : { subject }), ...(offset === 0 ? {} : { offset: String(offset) }) }
}

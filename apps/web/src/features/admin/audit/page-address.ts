import { limits } from '@ergon/contract'
import type { Search } from '../../../lib/search.ts'

/** Which part of the log an address asks for. */
export type AuditPage = { readonly subject: string | undefined; readonly offset: number }

/** As long as the operation takes it. */
export const subjectMax = 100

/**
 * What no address of ours says, such as a place before the first line, is read as the beginning; the log writes wallets
 * in small letters.
 */
export function readAddress({ subject = '', offset = '' }: Search): AuditPage {
  const given = subject.trim().slice(0, subjectMax)
  const about = /^0x[0-9a-f]{40}$/i.test(given) ? given.toLowerCase() : given
  return {
    subject: about === '' ? undefined : about,
    offset: /^\d{1,6}$/.test(offset) ? Math.min(Number(offset), limits.offsetMax) : 0,
  }
}

export function toAddress({ subject, offset }: AuditPage): Record<string, string> {
  return { ...(subject === undefined ? {} : { subject }), ...(offset === 0 ? {} : { offset: String(offset) }) }
}

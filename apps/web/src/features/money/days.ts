import type { Search } from '../../lib/search.ts'

/** Days of the reader's calendar as an address writes them, `2026-11-21`, the last one included. */
export type Days = { readonly from: string | undefined; readonly until: string | undefined }

/** What an address asks for; what is no day is left out, so that an old link still shows something. */
export function daysOf(search: Search): Days {
  return { from: day(search['from']), until: day(search['until']) }
}

/** What a filled-in form says, as the fields of an address; the empty ones are not in it. */
export function searchOfDays(form: FormData): Record<string, string> {
  const search: Record<string, string> = {}
  for (const name of ['from', 'until']) {
    const value = form.get(name)
    if (typeof value === 'string' && day(value) !== undefined) search[name] = value
  }
  return search
}

export const areBackwards = ({ from, until }: Days): boolean =>
  from !== undefined && until !== undefined && until < from

export const areAll = ({ from, until }: Days): boolean => from === undefined && until === undefined

/** An instant that nobody knows lies on no day. */
export function isWithin({ from, until }: Days, at: string | null): boolean {
  if (from === undefined && until === undefined) return true
  if (at === null) return false
  const instant = Date.parse(at)
  return (from === undefined || instant >= midnight(from, 0)) && (until === undefined || instant < midnight(until, 1))
}

/**
 * Whether money of a task may have moved on those days: it moves between the making and the last change of its task.
 */
export function mayHaveMoved(days: Days, task: { readonly created_at: string; readonly updated_at: string }): boolean {
  return (
    isWithin({ from: days.from, until: undefined }, task.updated_at) &&
    isWithin({ from: undefined, until: days.until }, task.created_at)
  )
}

function day(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const at = Date.parse(`${text}T00:00:00Z`)
  // The 31st of a short month is read as a day of the next one.
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : text
}

/** When a day begins where the reader is; days that lose or win an hour are no exception. */
function midnight(text: string, later: number): number {
  const [year, month, date] = text.split('-').map(Number)
  return new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + later).getTime()
}

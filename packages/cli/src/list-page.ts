import type { Call, Options } from './command.ts'
import { given } from './given.ts'

/** Which part of a list is shown, the same words for every list that is read in pages. */
export const pageOptions: Options = {
  limit: { value: 'N', about: 'At most so many.' },
  offset: { value: 'N', about: 'Skip so many.' },
}

/** What the options of a list's page say, as fields of its operation. */
export const pageFields = (call: Pick<Call, 'number'>): Readonly<Record<string, unknown>> =>
  given({ limit: call.number('limit'), offset: call.number('offset') })

type Shown = {
  readonly total: number
  readonly count: number
  readonly offset: number
  readonly has_more: boolean
}

/** The rows of a page, and where there are more of them how they are reached. */
export function pageLines(rows: readonly string[], page: Shown, none: string): readonly string[] {
  // A total may be older than the page beside it.
  if (rows.length === 0 && page.total === 0) return [none]
  const next = page.offset + page.count
  const rest = `${String(page.count)} of ${String(page.total)}`
  if (page.has_more) return [...rows, '', `${rest}; go on with --offset ${String(next)}`]
  return rows.length === 0 ? [`${rest}: --offset skips them all`] : rows
}

import { faultsOf, type FieldFaults } from '../../../lib/form.ts'
import { numberOfFile } from '../../../lib/number-typed.ts'
import { readCsv, type CsvRow } from '../../../lib/read-csv.ts'
import { sumUsd } from '../../../lib/sum-usd.ts'

export const mostTasks = 100
export const mostBytes = 512 * 1024
export const columns = [
  'title',
  'instructions',
  'category',
  'bounty_usd',
  'evidence_required',
  'deadline_hours',
  'location_hint',
  'min_reputation',
] as const
export type Column = (typeof columns)[number]
export const neededColumns: readonly Column[] = ['title', 'instructions', 'category', 'bounty_usd', 'evidence_required']
const figures: ReadonlySet<Column> = new Set(['bounty_usd', 'deadline_hours', 'min_reputation'])

export type ReadTask = {
  /** Where it begins in the file. */
  readonly line: number
  readonly fields: Readonly<Record<string, unknown>>
  readonly faults: FieldFaults
}
export type Table =
  | { readonly state: 'read'; readonly tasks: readonly ReadTask[] }
  | { readonly state: 'tooLarge' | 'unreadable' | 'unread' | 'empty' | 'tooMany' }
  | { readonly state: 'unknown' | 'missing' | 'twice'; readonly columns: readonly string[] }

/**
 * Reads a table of tasks, whose first line names the fields. Each row is held against the schema of publishing; a file
 * with a column that means nothing is refused as a whole, for it says something that would be lost.
 */
export function readTasks(text: string, locale: string): Table {
  if (text.length > mostBytes) return { state: 'tooLarge' }
  const rows = readCsv(text, mostTasks + 2)
  if (rows === undefined) return { state: 'unreadable' }
  const [head, ...body] = rows
  if (head === undefined || body.length === 0) return { state: 'empty' }
  const names = head.cells.map((cell) => cell.trim().toLowerCase())
  const unknown = names.filter((name) => !columns.some((column) => column === name))
  if (unknown.length > 0) return { state: 'unknown', columns: unknown }
  const twice = names.filter((name, place) => names.indexOf(name) !== place)
  if (twice.length > 0) return { state: 'twice', columns: twice }
  const missing = neededColumns.filter((name) => !names.includes(name))
  if (missing.length > 0) return { state: 'missing', columns: missing }
  if (body.length > mostTasks) return { state: 'tooMany' }
  return { state: 'read', tasks: body.map((row) => readTask(row, names, locale)) }
}

function readTask({ line, cells }: CsvRow, names: readonly string[], locale: string): ReadTask {
  const given = columns.flatMap((column): readonly (readonly [Column, unknown])[] => {
    const text = (cells[names.indexOf(column)] ?? '').trim()
    if (text === '') return []
    if (figures.has(column)) return [[column, numberOfFile(text, locale)]]
    return [[column, column === 'evidence_required' ? text.split(/[\s;|]+/) : text]]
  })
  const fields = { ...Object.fromEntries(given), target_executor_type: 'any' }
  // A row with more cells than the first line has lost its place.
  const tooLong = cells.slice(names.length).some((cell) => cell.trim() !== '')
  return {
    line,
    fields,
    faults: {
      ...faultsOf('h2a.publish', fields),
      ...(tooLong ? { row: { rule: 'too_many', limit: names.length } } : {}),
    },
  }
}

export function totalOf(tasks: readonly ReadTask[]): number {
  return sumUsd(tasks.map(({ fields: { bounty_usd: usd } }) => (typeof usd === 'number' ? usd : 0)))
}

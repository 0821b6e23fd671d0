import type { Sample, ToldOf } from './figure.ts'

export const httpFigures = {
  ergon_http_requests_total: {
    type: 'counter',
    says: 'Requests that were answered, by operation and by the class of their status.',
    labels: ['operation', 'status'],
  },
  ergon_http_request_duration_seconds: {
    type: 'histogram',
    says: 'How long they took to be answered.',
    labels: ['operation'],
  },
} as const

export type HttpCounts = {
  /** The operation is a name out of the code or the settings, never a path as a caller wrote it. */
  note(operation: string, status: number, ms: number): void
  told(): ToldOf<typeof httpFigures>
}

const boundsMs = [5, 25, 100, 250, 1_000, 2_500, 10_000]
/** A name that is not one of ours after all fills no memory. */
const mostNames = 1_000
const otherName = '-'

type Row = { readonly classes: number[]; readonly within: number[]; sumMs: number }

/** Counts requests in memory: two additions for each. */
export function createHttpCounts(): HttpCounts {
  const rows = new Map<string, Row>()
  const rowOf = (operation: string): Row => {
    const known = rows.get(operation)
    if (known !== undefined) return known
    if (rows.size >= mostNames && operation !== otherName) return rowOf(otherName)
    const row = { classes: [0, 0, 0, 0, 0, 0], within: [...boundsMs, Infinity].map(() => 0), sumMs: 0 }
    rows.set(operation, row)
    return row
  }
  return {
    note(operation, status, ms) {
      const row = rowOf(operation)
      const [ofClass, bucket] = [Math.trunc(status / 100), boundsMs.findIndex((bound) => ms <= bound)]
      row.classes[ofClass] = (row.classes[ofClass] ?? 0) + 1
      const at = bucket < 0 ? boundsMs.length : bucket
      row.within[at] = (row.within[at] ?? 0) + 1
      row.sumMs += ms
    },
    told: () => ({
      ergon_http_requests_total: [...rows].flatMap(([operation, { classes }]) => classesOf(operation, classes)),
      ergon_http_request_duration_seconds: [...rows].flatMap(([operation, row]) => bucketsOf(operation, row)),
    }),
  }
}

function classesOf(operation: string, classes: readonly number[]): readonly Sample[] {
  return classes.flatMap((value, ofClass) =>
    value === 0 ? [] : [{ labels: { operation, status: `${String(ofClass)}xx` }, value }],
  )
}

function bucketsOf(operation: string, { within, sumMs }: Row): readonly Sample[] {
  let count = 0
  const buckets = within.map((more, index): Sample => {
    const bound = boundsMs[index]
    count += more
    const le = bound === undefined ? '+Inf' : String(bound / 1_000)
    return { part: '_bucket', labels: { operation, le }, value: count }
  })
  return [
    ...buckets,
    { part: '_sum', labels: { operation }, value: sumMs / 1_000 },
    { part: '_count', labels: { operation }, value: count },
  ]
}

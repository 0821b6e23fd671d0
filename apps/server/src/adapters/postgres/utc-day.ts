/** SQL: the day in UTC by the clock of the database, which every process shares, and when it ends. */
export const utcDay = "(now() at time zone 'utc')::date"

const utcMidnight = `(${utcDay} + 1)::timestamp at time zone 'utc'`
export const dayEndColumns = `${utcMidnight} as day_ends,
    ceil(extract(epoch from ${utcMidnight} - now()))::float8 as seconds_left`

export type DayEndRow = { readonly day_ends: Date; readonly seconds_left: number }
/** When what was counted today begins anew; seconds, at least one. */
export type DayEnd = { readonly reset: Date; readonly secondsLeft: number }

export const dayEnd = ({ day_ends: reset, seconds_left: seconds }: DayEndRow): DayEnd => ({
  reset,
  secondsLeft: Math.max(1, seconds),
})

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

const daySec = 86_400
const leastWaitSec = 60

/** How much of the day has passed, from 0 to 1. */
export const passedOf = ({ secondsLeft }: DayEnd): number => 1 - Math.min(1, secondsLeft / daySec)

/** When so much of the day has passed: a minute from now at least, and at its end at the latest. */
export function whenPassed(passed: number, end: DayEnd): DayEnd {
  const waitSec = Math.max(leastWaitSec, Math.ceil((passed - passedOf(end)) * daySec))
  const secondsLeft = Math.min(end.secondsLeft, waitSec)
  return { reset: new Date(end.reset.getTime() - (end.secondsLeft - secondsLeft) * 1_000), secondsLeft }
}

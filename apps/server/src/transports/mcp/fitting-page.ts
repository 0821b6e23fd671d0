import type { Served } from '../../dispatch/dispatch.ts'
import { fitted, longestAnswer } from './fitted.ts'

type Fields = Readonly<Record<string, unknown>>

/** The rows may have changed since they were counted, so that it still does not fit. */
const mostReads = 3

/**
 * A page whose rows are too many for a model is read again with fewer: nothing of it is lost, and `has_more` and the
 * cursor say how it goes on (decision 0335). `read` is the call itself, with other arguments.
 */
export async function fittingPage(given: Fields, read: (given: Fields) => Promise<Served>): Promise<Served> {
  let served = await read(given)
  for (let left = mostReads; left > 1 && served.code === null; left -= 1) {
    const limit = fewer(served.body as Fields) // bodies of lists are objects
    // A place that is asked for anew is a later one: the rows would be passed over.
    if (limit === undefined || given['cursor'] === 'now') break
    const page = await read({ ...given, limit })
    // A limit of the caller that was met in between takes nothing away.
    if (page.code !== null) break
    served = page
  }
  return served
}

/** How many rows fit, with their texts cut; undefined where all do, or one alone does not. */
function fewer(whole: Fields): number | undefined {
  if (sizeOf(whole) <= longestAnswer) return undefined
  const body = fitted(whole)
  const rows = Object.values(body).reduce<readonly unknown[]>(
    (most, value) => (Array.isArray(value) && value.length > most.length ? value : most),
    [],
  )
  const excess = sizeOf(body) - longestAnswer
  if (excess <= 0 || rows.length <= 1) return undefined
  let kept = rows.length
  for (let over = excess; over > 0 && kept > 1; kept -= 1) over -= sizeOf(rows[kept - 1]) + 1
  return kept
}

const sizeOf = (value: unknown): number => JSON.stringify(value).length

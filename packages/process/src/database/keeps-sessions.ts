import type { DatabaseLine } from './session-settings.ts'

const rounds = 12

/**
 * Whether each of two connections stays with a process of the database that is its own. Behind a pooler that lends one
 * out by the transaction or statement it does not: a lock, a `listen` and a setting are then another client's.
 */
export async function keepsSessions(one: DatabaseLine, other: DatabaseLine): Promise<boolean> {
  const own = [await processOf(one), await processOf(other)]
  if (own[0] === own[1]) return false
  // What the first gave back is what the second gets, or what the first does not get again. Others ask meanwhile, so
  // they are asked in turns that nobody else takes.
  for (let round = 0; round < rounds; round += 1) {
    const asked = round % 3 === 0 ? await Promise.all([processOf(one), processOf(other)]) : [await processOf(one)]
    if (round % 2 === 0) asked[1] ??= await processOf(other)
    if (asked.some((each, place) => each !== own[place])) return false
  }
  return true
}

async function processOf(line: DatabaseLine): Promise<unknown> {
  const [row] = (await line.query('select pg_backend_pid() as pid')).rows
  return (row as { readonly pid: unknown }).pid // the statement answers one row of this shape
}

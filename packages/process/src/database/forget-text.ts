/** Rows of a table that are kept no longer. */
export type PastRows = {
  readonly table: string
  /** Of the table's own columns; what it is given is `$2` and on. */
  readonly where: string
  /** In which order they go; an index has them in it. */
  readonly order: string
}

/**
 * SQL that deletes so many rows at the most, `$1`: after a pause or a flood, a delete of all of them would hold locks
 * and fill the log of the database for as long as it lasts. The condition is asked of each row again, because one that
 * was found may have changed while the delete waited for it.
 */
export const forgetText = ({ table, where, order }: PastRows): string =>
  `delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${where} order by ${order} limit $1)) and (${where})`

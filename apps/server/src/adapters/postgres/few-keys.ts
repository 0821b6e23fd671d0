/**
 * SQL: the keys of what a statement leased, as a list that is planned as a short one. Plans are made once and for every
 * limit (decision 0258): of a join with the leased rows themselves the database expects a tenth of the table, and reads
 * all of it.
 */
export const fewKeys = (leased: string, keys: readonly string[]): string =>
  `(select * from unnest(${keys.map((key) => `array(select ${key} from ${leased})`).join(', ')})
    as k (${keys.join(', ')}))`

import type { Pool } from 'pg'

/** A statement that a connection plans once. */
type Named = { readonly name: string; readonly text: string; readonly values: readonly unknown[] }

/**
 * Rows by the names of their columns, over the cells that the driver reads in their order: it makes no object of forty
 * properties for each row (decision 0266). A name beyond the cells is undefined.
 */
export function readingCells<R>(names: readonly string[]): (pool: Pool, statement: Named) => Promise<readonly R[]> {
  class Row {
    readonly cells: readonly unknown[]
    constructor(cells: readonly unknown[]) {
      this.cells = cells
    }
  }
  for (const [place, name] of names.entries())
    Object.defineProperty(Row.prototype, name, {
      get(this: Row) {
        return this.cells[place]
      },
    })
  return async (pool, { name, text, values }) => {
    const { rows } = await pool.query<unknown[]>({ name, text, values: [...values], rowMode: 'array' })
    // The names are those of the columns of R; who asks keeps them in one order.
    return rows.map((cells) => new Row(cells) as unknown as R)
  }
}

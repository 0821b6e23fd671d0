import { Query, type Pool, type QueryConfig } from 'pg'
import { freshly } from './pool.ts'

/** A statement that a connection plans once. */
type Named = { readonly name: string; readonly text: string; readonly values: readonly unknown[] }

/** Tells each row as it comes; resolves after the last. @throws what `each` threw first, or why the statement failed */
type ReadRows<R> = (pool: Pool, statement: Named, each: (row: R) => void) => Promise<void>

/**
 * Rows by the names of their columns, over the cells that the driver reads in their order: it makes no object of forty
 * properties for each row (decision 0266), and keeps none after it has told it: what dies young costs the collector
 * nothing (decision 0267). A name beyond the cells is undefined.
 */
export function readingCells<R>(names: readonly string[]): ReadRows<R> {
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
  return async (pool, { name, text, values }, each) => {
    const faults: unknown[] = []
    // A plan is found stale before there are rows: none is told twice.
    await freshly(pool, async () => {
      const query = new Query<unknown[]>(asArrays({ name, text, values: [...values] }))
      query.on('row', (cells, result) => {
        // The driver adds each row to those that it has told.
        if (result !== undefined) result.rows.length = 0
        try {
          // The names are those of the columns of R; who asks keeps them in one order.
          each(new Row(cells) as unknown as R)
        } catch (fault) {
          faults.push(fault)
        }
      })
      // The pool hands on to the driver whatever can be submitted, which its types do not know.
      await pool.query(query as unknown as QueryConfig)
    })
    if (faults.length > 0) throw faults[0]
  }
}

/** Of a query that is an object of its own, the types of the driver do not know that it has modes of rows. */
function asArrays(config: QueryConfig): QueryConfig {
  return Object.assign(config, { rowMode: 'array' })
}

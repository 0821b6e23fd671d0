import { Query, type FieldDef, type QueryResult, type QueryResultRow } from 'pg'

type Parse = (cell: unknown) => unknown

/** What the driver makes of the description of columns, once for each statement of a connection. */
type Columns = {
  fields: readonly FieldDef[]
  _parsers: readonly Parse[] | undefined
  _prebuiltEmptyResultObject: object | null
}
/** A connection as a statement is written to it. */
type Line = { describe(what: unknown): void }
export type Told = (error: Error | null | undefined, result: unknown) => void
/** The driver's query; its types leave out what a subclass may change. */
type DriverQuery = {
  name: string | undefined
  callback: Told | undefined
  readonly _result: Columns
  _accumulateRows: boolean
  prepare(line: Line): void
  handleRowDescription(message: unknown): void
  handleReadyForQuery(line: Line): void
}

const Driver = Query as unknown as new (text: string, values: readonly unknown[]) => DriverQuery

/** Of one connection: the statements it has described, and itself as a line on which nothing is described. */
type Known = { readonly columns: Map<string, Columns>; readonly line: Line }
const knownOf = new WeakMap<Line, Known>()

function known(line: Line): Known {
  const before = knownOf.get(line)
  if (before !== undefined) return before
  const quiet = Object.create(line, { describe: { value: () => undefined } }) as Line
  const fresh = { columns: new Map<string, Columns>(), line: quiet }
  knownOf.set(line, fresh)
  return fresh
}

/**
 * A statement with a name whose columns are asked for once on each connection (decision 0272): as long as the name is
 * known there they stay the same, since PostgreSQL refuses a plan whose columns have changed ("cached plan must not
 * change result type").
 */
class DescribedQuery extends Driver {
  override prepare(line: Line): void {
    const { columns, line: quiet } = known(line)
    const own = columns.get(this.name ?? '')
    if (own === undefined) {
      super.prepare(line)
      return
    }
    this._result.fields = own.fields
    this._result._parsers = own._parsers
    this._result._prebuiltEmptyResultObject = own._prebuiltEmptyResultObject
    this._accumulateRows = true
    super.prepare(quiet)
  }

  override handleReadyForQuery(line: Line): void {
    const { columns } = known(line)
    // The driver tells of what succeeded alone. A statement without columns is one that none were told of.
    if (this.name !== undefined && !columns.has(this.name)) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
      columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    }
    super.handleReadyForQuery(line)
  }
}

/** A statement that a connection plans once. */
export type Named = { readonly name: string; readonly text: string; readonly values?: readonly unknown[] }

/** A query for a statement with a name; tells `told`, as the driver's own would. */
export function describedQuery({ name, text, values = [] }: Named, told: Told): Query {
  const query = new DescribedQuery(text, values)
  query.name = name
  query.callback = told
  return query as unknown as Query
}

/** The same as a promise. An error has the stack of whoever asked, as the driver's have. */
export async function askDescribed<R extends QueryResultRow>(
  submit: (query: Query) => unknown,
  named: Named,
): Promise<QueryResult<R>> {
  try {
    return await new Promise<QueryResult<R>>((resolve, reject) => {
      submit(
        describedQuery(named, (error, result) => {
          if (error instanceof Error) reject(error)
          else resolve(result as QueryResult<R>)
        }),
      )
    })
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

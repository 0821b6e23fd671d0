import { Query, type FieldDef, type QueryResult, type QueryResultRow } from 'pg'

/** A statement that a connection plans once. */
export type Named = { readonly name: string; readonly text: string; readonly values?: readonly unknown[] }
export type Told = (error: Error | null | undefined, result: unknown) => void

/** What the driver makes of the description of columns. */
type Columns = {
  fields: readonly FieldDef[]
  _parsers: readonly unknown[] | undefined
  _prebuiltEmptyResultObject: object | null
}
/** A connection as a statement is written to it. */
type Line = { describe(what: unknown): void }
/** The driver's query; its types leave out what a subclass may change. */
type DriverQuery = {
  name: string | undefined
  callback: Told | undefined
  readonly _result: Columns
  _accumulateRows: boolean
  hasBeenParsed(line: Line): unknown
  prepare(line: Line): void
  handleReadyForQuery(line: Line): void
}

const Driver = Query as unknown as new (text: string, values: readonly unknown[]) => DriverQuery

/** Of one connection: the statements it has described, and itself as a line on which nothing is described. */
type Known = { readonly columns: Map<string, Columns>; readonly line: Line }

/** What the connections of a pool have described. */
class Descriptions {
  private readonly lines = new WeakMap<Line, Known>()
  /** Nearly always the connections describe a statement alike: it is kept once for all of them. */
  private readonly last = new Map<string, Columns>()

  of(line: Line): Known {
    const before = this.lines.get(line)
    if (before !== undefined) return before
    const quiet = Object.create(line, { describe: { value: () => undefined } }) as Line
    const fresh = { columns: new Map<string, Columns>(), line: quiet }
    this.lines.set(line, fresh)
    return fresh
  }

  keep(line: Line, name: string, { fields, _parsers, _prebuiltEmptyResultObject }: Columns): void {
    const last = this.last.get(name)
    const own =
      last !== undefined && isAlike(last.fields, fields) ? last : { fields, _parsers, _prebuiltEmptyResultObject }
    this.last.set(name, own)
    this.of(line).columns.set(name, own)
  }
}

/** Whether the driver makes the same of both. */
function isAlike(one: readonly FieldDef[], other: readonly FieldDef[]): boolean {
  return (
    one.length === other.length &&
    one.every((field, place) => field.name === other[place]?.name && field.dataTypeID === other[place].dataTypeID)
  )
}

class DescribedQuery extends Driver {
  private readonly descriptions: Descriptions

  constructor(descriptions: Descriptions, { name, text, values = [] }: Named, told: Told) {
    super(text, values)
    this.descriptions = descriptions
    this.name = name
    this.callback = told
  }

  override prepare(line: Line): void {
    const { columns, line: quiet } = this.descriptions.of(line)
    // What the connection has let go of is planned anew, and may have other columns since.
    if (this.hasBeenParsed(line) !== true) columns.delete(this.name ?? '')
    const own = columns.get(this.name ?? '')
    if (own !== undefined) {
      Object.assign(this._result, own)
      this._accumulateRows = true
    }
    super.prepare(own === undefined ? line : quiet)
  }

  /** The driver calls it for what succeeded alone. Of a statement without columns none were told. */
  override handleReadyForQuery(line: Line): void {
    if (this.name !== undefined && !this.descriptions.of(line).columns.has(this.name))
      this.descriptions.keep(line, this.name, this._result)
    super.handleReadyForQuery(line)
  }
}

/**
 * Queries for statements with a name, whose columns are asked for once on each connection (decision 0272): as long as
 * the name is known there they stay the same, since PostgreSQL refuses a plan whose columns have changed ("cached plan
 * must not change result type"). Each hands its query to `submit`.
 */
export function createDescribed() {
  const descriptions = new Descriptions()
  const tell = (submit: (query: Query) => unknown, named: Named, told: Told): unknown =>
    submit(new DescribedQuery(descriptions, named, told) as unknown as Query)
  return {
    /** Tells `told`, as the driver's own query would. */
    tell,
    /** An error has the stack of whoever asked, as the driver's have. */
    async ask<R extends QueryResultRow>(submit: (query: Query) => unknown, named: Named): Promise<QueryResult<R>> {
      try {
        return await new Promise<QueryResult<R>>((resolve, reject) => {
          tell(submit, named, (error, result) => {
            if (error instanceof Error) reject(error)
            else resolve(result as QueryResult<R>)
          })
        })
      } catch (error) {
        if (error instanceof Error) Error.captureStackTrace(error)
        throw error
      }
    },
  }
}

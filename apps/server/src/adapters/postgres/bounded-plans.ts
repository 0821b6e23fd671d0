/** A connection as the driver writes statements to it; its types leave this out. */
type Line = {
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Readonly<Record<string, string>>
  parse(query: { readonly name?: string; readonly text: string }): void
  bind(values: { readonly statement?: string }): void
  close(what: { readonly type: 'S'; readonly name: string }): void
}

/**
 * Characters of the statements that a connection keeps planned. What a whole job asks has 45,000; a plan takes some 150
 * bytes of the database's memory for each.
 */
const mostChars = 131_072

/**
 * Lets go of the plans that were used longest ago, so that a connection that lives for a year is as large as one of
 * today: readers choose among a thousand kinds of lists, and a plan is kept until its connection ends (decision 0303).
 */
export function boundPlans(client: object, most: number = mostChars): void {
  // The driver keeps its connection to itself.
  const { connection: line } = client as { readonly connection: Line }
  const [parse, bind] = [line.parse.bind(line), line.bind.bind(line)]
  /** The one that was used longest ago comes first. */
  const kept = new Map<string, number>()
  let chars = 0
  const forget = (name: string): void => {
    chars -= kept.get(name) ?? 0
    kept.delete(name)
  }
  const add = (name: string, length: number): void => {
    forget(name)
    kept.set(name, length)
    chars += length
  }
  const makeRoom = (length: number): void => {
    for (const name of kept.keys()) {
      if (chars + length <= most) return
      // Of what is on its way the driver notes later that it is there.
      if (Object.hasOwn(line.submittedNamedStatements, name)) continue
      // It goes out before what takes its place, and behind all that uses it.
      line.close({ type: 'S', name })
      Reflect.deleteProperty(line.parsedStatements, name)
      forget(name)
    }
  }
  Object.assign(line, {
    parse(query: Parameters<Line['parse']>[0]) {
      const { name, text } = query
      if (name !== undefined && name !== '') {
        forget(name)
        makeRoom(text.length)
        add(name, text.length)
      }
      parse(query)
    },
    bind(values: Parameters<Line['bind']>[0]) {
      const length = kept.get(values.statement ?? '')
      if (values.statement !== undefined && length !== undefined) add(values.statement, length)
      bind(values)
    },
  })
}

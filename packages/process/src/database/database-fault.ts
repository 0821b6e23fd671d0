import type { DatabaseFacts } from './database-facts.ts'

export type DatabaseNeeds = {
  /** How many connections the process opens. */
  readonly connections: number
  /** A network where money is real, by its name. */
  readonly realNetwork?: string | undefined
}

/** The first version whose rules the statements were written for. */
export const leastVersion = 150_000

/** What keeps a process from using this database, as a sentence that says what to do; undefined: nothing. */
export function databaseFault(facts: DatabaseFacts, needs: DatabaseNeeds): string | undefined {
  const { database, role, encoding, schema, connections } = facts
  if (encoding !== 'UTF8')
    return (
      `the database ${database} is in ${encoding}: ` +
      'create it anew with encoding UTF8 (createdb --encoding=UTF8 --template=template0)'
    )
  if (facts.isReplica) return `session_replication_role is replica for the role ${role}: set it back to origin`
  if (connections < needs.connections)
    return (
      `the role ${role} may open ${String(connections)} connections to ${database}, ` +
      `and this process needs ${String(needs.connections)}: raise the limit`
    )
  return placeFault(facts) ?? (schema === null || !facts.mayCreate ? ownerFault(facts) : moneyFault(facts, needs))
}

function ownerFault({ database, role }: DatabaseFacts): string {
  return (
    `the role ${role} may create no tables in the database ${database}: ` +
    `make it the owner (alter database ${database} owner to ${role})`
  )
}

/** Tables that are not found are made anew, and everything that was known is forgotten. */
function placeFault({ database, role, schema, schemas, strangers }: DatabaseFacts): string | undefined {
  const [elsewhere] = schemas
  if (elsewhere !== undefined && (schema === null || !schemas.includes(schema)))
    return (
      `the tables are in the schema ${elsewhere} of ${database}, ` +
      `and the search_path of ${role} leads to ${schema ?? 'none'}: set it back`
    )
  const [stranger] = strangers
  if (elsewhere === undefined && stranger !== undefined)
    return `the database ${database} is that of the ${stranger}: give each process its own`
  return undefined
}

function moneyFault({ database, ...facts }: DatabaseFacts, { realNetwork }: DatabaseNeeds): string | undefined {
  if (realNetwork === undefined) return undefined
  if (!facts.fsync)
    return (
      `fsync is off, and ${realNetwork} is a real network: ` +
      "a crash of the database's machine would lose payments. Turn it on"
    )
  if (facts.hasOtherOrder)
    return (
      `an upgrade of the system changed the order of texts under ${database}, and ${realNetwork} is a real network: ` +
      `keys may be found no more or twice. Run "reindex database ${database}" ` +
      `and "alter database ${database} refresh collation version"`
    )
  return undefined
}

/** What is told and does not keep a process from serving. */
export function databaseDoubt(facts: DatabaseFacts, { realNetwork }: DatabaseNeeds): string | undefined {
  if (facts.hasOtherOrder && realNetwork === undefined)
    return 'the order of texts has changed under the indexes: reindex the database and refresh its collation version'
  if (!facts.fullPageWrites && realNetwork !== undefined)
    return 'full_page_writes is off: only a file system that never tears a page may do without'
  return undefined
}

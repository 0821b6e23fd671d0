import { expect, test } from 'vitest'
import type { DatabaseFacts } from '../src/database/database-facts.ts'
import { databaseDoubt, databaseFault } from '../src/database/database-fault.ts'

/** Decision 0291: what keeps a process from a database. The tests of the server read the facts from real ones. */

const ordinary: DatabaseFacts = {
  ...{ database: 'ergon', role: 'ergon', encoding: 'UTF8', isStandby: false, isReadOnly: false, isReplica: false },
  ...{ fsync: true, fullPageWrites: true, hasOtherOrder: false },
  ...{ schema: 'public', mayCreate: true, schemas: [], strangers: [], connections: 97 },
}
const needs = { connections: 11 }
const real = { ...needs, realNetwork: 'base' }
const faultOf = (change: Partial<DatabaseFacts>, by = needs) => databaseFault({ ...ordinary, ...change }, by)

test('an ordinary database is taken, empty, with the own tables, and beside those of another service', () => {
  for (const change of [{}, { schemas: ['public'] }, { schemas: ['public'], strangers: ['gateway' as const] }])
    expect(faultOf(change, real)).toBeUndefined()
})

test.each([
  [{ encoding: 'SQL_ASCII' }, /^the database ergon is in SQL_ASCII: create it anew with encoding UTF8/],
  [{ isReplica: true }, /^session_replication_role is replica for the role ergon: set it back/],
  [{ connections: 10 }, /^the role ergon may open 10 connections to ergon, and this process needs 11: raise the limit/],
  [{ mayCreate: false }, /^the role ergon may create no tables .*: make it the owner \(alter database ergon owner to/],
  [{ schema: null }, /^the role ergon may create no tables/],
  [
    { schemas: ['public'], schema: 'erika' },
    /^the tables are in the schema public of ergon, .* leads to erika: set it/,
  ],
  [
    { schemas: ['public'], schema: null },
    /^the tables are in the schema public of ergon, .* leads to none: set it back/,
  ],
  [
    { strangers: ['facilitator' as const] },
    /^the database ergon is that of the facilitator: give each process its own/,
  ],
] satisfies [Partial<DatabaseFacts>, RegExp][])(
  'a database that breaks something is refused: %o',
  (change, sentence) => {
    expect(faultOf(change)).toMatch(sentence)
  },
)

test('a database that a crash or an upgrade of the system damages is refused where money is real', () => {
  expect(faultOf({ fsync: false }, real)).toMatch(/^fsync is off, and base is a real network: .* Turn it on$/)
  expect(faultOf({ hasOtherOrder: true }, real)).toMatch(
    /keys may be found no more or twice\. Run "reindex database ergon"/,
  )
  expect([faultOf({ fsync: false }), faultOf({ hasOtherOrder: true })]).toEqual([undefined, undefined])
})

test('what only may do damage is told', () => {
  expect(databaseDoubt({ ...ordinary, fullPageWrites: false }, real)).toMatch(/^full_page_writes is off/)
  expect(databaseDoubt({ ...ordinary, hasOtherOrder: true }, needs)).toMatch(/^the order of texts has changed/)
  expect([databaseDoubt(ordinary, real), databaseDoubt({ ...ordinary, fullPageWrites: false }, needs)]).toEqual([
    undefined,
    undefined,
  ])
})

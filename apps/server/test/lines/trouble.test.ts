import { expect, test } from 'vitest'
import { isClosed, isStalePlan, troubleOf } from '../../src/adapters/postgres/trouble.ts'

/** What is understood of a database does not hang on the language of its cluster (decision 0291). */

const said = (message: string, facts: object) => Object.assign(new Error(message), facts)

test('a plan whose columns have changed is known in German as well, and no other failure of its kind', () => {
  const stale = { code: '0A000', routine: 'RevalidateCachedQuery' }
  expect(isStalePlan(said('gecachter Plan darf den Ergebnistyp nicht ändern', stale))).toBe(true)
  expect(isStalePlan(said('cached plan must not change result type', stale))).toBe(true)
  expect(isStalePlan(said('nicht unterstützt', { ...stale, routine: 'transformSelectStmt' }))).toBe(false)
})

test('a database that lets nobody in wrote nothing, and a start does not wait for it', () => {
  for (const code of ['3D000', '28000', '28P01']) {
    const error = said('Datenbank »markt« existiert nicht', { code })
    expect([troubleOf(error), isClosed(error)]).toEqual(['unwritten', true])
  }
  expect(isClosed(said('das Datenbanksystem startet', { code: '57P03' }))).toBe(false)
})

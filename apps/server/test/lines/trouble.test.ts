import { expect, test } from 'vitest'
import { isStalePlan, troubleOf } from '../../src/adapters/postgres/trouble.ts'

/** What is understood of a database does not hang on the language of its cluster (decision 0291). */

const said = (message: string, facts: object) => Object.assign(new Error(message), facts)

test('a plan whose columns have changed is known in German as well, and no other failure of its kind', () => {
  const stale = { code: '0A000', routine: 'RevalidateCachedQuery' }
  expect(isStalePlan(said('gecachter Plan darf den Ergebnistyp nicht ändern', stale))).toBe(true)
  expect(isStalePlan(said('cached plan must not change result type', stale))).toBe(true)
  expect(isStalePlan(said('nicht unterstützt', { ...stale, routine: 'transformSelectStmt' }))).toBe(false)
})

test('a database that lets nobody in wrote nothing', () => {
  for (const code of ['3D000', '28000', '28P01'])
    expect(troubleOf(said('Datenbank »markt« existiert nicht', { code }))).toBe('unwritten')
})

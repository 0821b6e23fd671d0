import { expect, test } from 'vitest'
import { databaseUrlFault } from '../src/index.ts'

test.each([
  'postgres://ergon@localhost/ergon',
  'postgresql://ergon:a,b@db.example:6432/ergon?sslmode=verify-full&sslrootcert=/etc/ca.pem',
  'postgres://ergon@/ergon?host=/run/postgresql',
  'postgres://ergon@[::1]:5432/ergon?options=-c%20geqo%3Doff,x',
])('%s names a database', (url) => {
  expect(databaseUrlFault(url)).toBeUndefined()
})

test.each(['ergon', 'mysql://localhost/ergon', 'postgres://ergon:w/rd@127.0.0.1/ergon', 'postgres://h:54320000/x'])(
  '%s is no URL of a database',
  (url) => {
    expect(databaseUrlFault(url)).toBe('DATABASE_URL must be a postgres:// URL')
  },
)

test.each(['postgres://ergon@a,b/ergon', 'postgres://ergon@a:1,b:2/ergon', 'postgres://e@/ergon?host=a,b'])(
  'the several hosts of %s are refused: the driver would look for one of that name',
  (url) => {
    expect(databaseUrlFault(url)).toMatch(/^DATABASE_URL names several hosts: name one/)
  },
)

import { expect, test } from 'vitest'
import { isOfDatabase, Obstacle, obstacleOf } from '../src/database/obstacle.ts'

const said = (message: string, facts: object = {}) => Object.assign(new Error(message), facts)

test.each([
  ['the database does not listen', said('connect', { code: 'ECONNREFUSED', syscall: 'connect' })],
  ['its socket is not there yet', said('connect', { code: 'ENOENT', syscall: 'connect' })],
  ['its name is not known yet', said('getaddrinfo', { code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
  ['neither of its addresses answers', said('', { code: 'ECONNREFUSED' })],
  ['the line was cut before TLS', said('Client network socket disconnected', { code: 'ECONNRESET' })],
  ['it starts or recovers', said('das Datenbanksystem startet', { code: '57P03' })],
  ['it is told to stop', said('terminating connection', { code: '57P01' })],
  ['it has too many connections for now', said('too many clients', { code: '53300' })],
  ['a pooler has no server', said('server login has been failing', { code: '08P01' })],
  ['it takes no writes', said('read-only transaction', { code: '25006' })],
  ['the line was lost', said('Connection terminated unexpectedly')],
  ['no connection was made in time', said('timeout exceeded when trying to connect')],
  ['what the start says itself', new Obstacle('it is a standby', { passes: true })],
])('a start waits while %s', (_, error) => {
  expect(obstacleOf(error).passes).toBe(true)
})

test.each([
  ['a name without a database', said('does not exist', { code: '3D000' }), 'does not exist'],
  ['another password', said('password authentication failed', { code: '28P01' }), 'password authentication failed'],
  ['a role that is not let in', said('no pg_hba.conf entry', { code: '28000' }), 'no pg_hba.conf entry'],
  ['a role without the right to connect', said('permission denied', { code: '42501' }), 'permission denied'],
  ['a server without TLS', said('The server does not support SSL connections'), /does not support SSL/],
  ['a certificate nobody trusts', said('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), /self-/],
  ['no common TLS', said('handshake failure', { code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE' }), /handshake/],
  ['a certificate that is no file', said('no such file', { code: 'ENOENT', syscall: 'open' }), /no such file/],
  [
    'a missing password',
    said('SASL: client password must be a string'),
    'it asks for a password, and the URL has none',
  ],
  ['a failure without words', said('', { code: 'XX000' }), 'XX000'],
  ['what is no error', 'out of order', 'out of order'],
])('a start does not wait for %s, and says what it heard', (_, error, text) => {
  const { passes, message } = obstacleOf(error)
  expect(passes).toBe(false)
  expect(message).toMatch(text)
})

test('what PostgreSQL or its driver says is of the database, and nothing else', () => {
  const ofDatabase = [
    said('duplicate key', { code: '23505', severity: 'ERROR' }),
    said('Connection terminated unexpectedly'),
    said('timeout exceeded when trying to connect'),
  ]
  const ofOthers = [
    said('connect', { code: 'ECONNREFUSED', syscall: 'connect' }),
    said('mine', { code: '23505' }),
    said('mine', { code: '2350', severity: 'ERROR' }),
    said('mine', { severity: 'ERROR' }),
    said('Connection terminated unexpectedly, as it seems'),
    { code: '23505', severity: 'ERROR' },
    undefined,
  ]
  expect(ofDatabase.map(isOfDatabase)).toEqual([true, true, true])
  expect(ofOthers.map(isOfDatabase)).toEqual(ofOthers.map(() => false))
})

test('what fails without a word and a code has no reason', () => {
  expect(obstacleOf(new Error('')).message).toBe('no reason')
})

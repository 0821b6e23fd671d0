import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createOrigins } from '../../src/sessions/origins.ts'
import { createSessionCookie } from '../../src/sessions/session-cookie.ts'
import { createSessions, type SessionDeps, type Sessions } from '../../src/sessions/sessions.ts'

const baseUrl = 'https://market.example'
const account = { wallet: '0x1111111111111111111111111111111111111111', chainId: 31_337, proof: 'key' } as const
const key = randomBytes(32)

/** Processes of one service: one store, and what each has seen. */
function createRows(): SessionDeps['store'] {
  const rows = new Set<string>()
  return {
    put: ({ sid }) => {
      rows.add(sid)
      return Promise.resolve()
    },
    isOpen: (sid) => Promise.resolve(rows.has(sid)),
    end: (sid) => {
      rows.delete(sid)
      return Promise.resolve()
    },
  }
}

function createProcess(store: SessionDeps['store'], change: Partial<SessionDeps> = {}): Sessions {
  const url = change.baseUrl ?? baseUrl
  return createSessions({
    key,
    baseUrl: url,
    cookie: createSessionCookie(url),
    hours: 12,
    store,
    seen: new Map<string, true>(),
    now: () => new Date(),
    ...change,
  })
}

const carrying = (cookie: string) => ({ headers: [['Cookie', cookie.split(';', 1)[0] ?? '']] as const })
const withToken = (token: string) => carrying(`__Host-svc_session=${token}`)

describe('the token of a session', () => {
  test('is read by every process of the service, and by none after it was ended in one and forgotten in the other', async () => {
    const [store, seen] = [createRows(), new Map<string, true>()]
    const [one, two] = [createProcess(store), createProcess(store, { seen })]
    const { session, cookie } = await one.open(account)
    expect(await two.read(carrying(cookie))).toEqual(session)
    expect(await one.close(session.sid)).toContain('Max-Age=0')
    expect(await one.read(carrying(cookie))).toBeNull()
    seen.clear()
    expect(await two.read(carrying(cookie))).toBeNull()
  })

  test('of another secret or another service opens nothing', async () => {
    const store = createRows()
    const { cookie } = await createProcess(store).open(account)
    expect(await createProcess(store, { key: randomBytes(32) }).read(carrying(cookie))).toBeNull()
    expect(await createProcess(store, { baseUrl: 'https://other.example' }).read(carrying(cookie))).toBeNull()
  })

  test.each([
    ['another type', { typ: 'svc-dash+jwt' }, {}],
    ['no type', {}, {}],
    ['no session id', { typ: 'svc-session+jwt' }, { sid: undefined }],
    ['a subject that is no EVM account', { typ: 'svc-session+jwt' }, { sub: 'solana:mainnet:abc' }],
    ['a subject that is no account', { typ: 'svc-session+jwt' }, { sub: account.wallet }],
  ])('with %s opens nothing, though our own key signed it', async (_what, header, claims) => {
    const store: SessionDeps['store'] = { ...createRows(), isOpen: () => Promise.resolve(true) }
    const payload = { sid: 'a', sub: `eip155:31337:${account.wallet}`, ...claims }
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256', ...header })
      .setAudience(baseUrl)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(key)
    expect(await createProcess(store).read(withToken(token))).toBeNull()
  })
})

test.each([
  ['https://market.example', '__Host-svc_session=x; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60'],
  ['http://market.example', '__Host-svc_session=x; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60'],
  ['http://127.0.0.1:4020', 'svc_session=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=60'],
  ['http://[::1]:4020', 'svc_session=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=60'],
  ['https://localhost', '__Host-svc_session=x; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60'],
])('the cookie of %s is bound to it', (url, line) => {
  expect(createSessionCookie(url).set('x', 60)).toBe(line)
})

test('a page acts with a session from the origins of the service, and from no look-alike', () => {
  const origins = createOrigins('http://127.0.0.1:4020', ['https://app.example.org'])
  const allowed = ['http://127.0.0.1:4020', 'http://localhost:4020', 'https://app.example.org']
  const refused = [
    undefined,
    '',
    'null',
    'http://localhost',
    'https://localhost:4020',
    'https://app.example.org.evil.example',
    'https://evil.app.example.org',
    'https://app.example.org/',
    'HTTPS://APP.EXAMPLE.ORG',
  ]
  expect(allowed.filter((one) => !origins.allows(one))).toEqual([])
  expect(refused.filter((one) => origins.allows(one))).toEqual([])
  expect(origins.siteOf('https://app.example.org')).toEqual({
    domain: 'app.example.org',
    uri: 'https://app.example.org',
  })
  expect(origins.siteOf('https://evil.example')).toEqual({ domain: '127.0.0.1:4020', uri: 'http://127.0.0.1:4020' })
})

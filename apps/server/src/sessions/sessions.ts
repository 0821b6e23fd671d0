import { createSecretKey, randomUUID } from 'node:crypto'
import { accountProof, type AccountProof } from '@ergon/core'
import { caip10, parseCaip10 } from '@ergon/protocols'
import { jwtVerify, SignJWT } from 'jose'
import type { SessionCookie } from './session-cookie.ts'

export type Session = {
  readonly sid: string
  readonly wallet: string
  readonly chainId: number
  readonly proof: AccountProof
  readonly expiresAt: Date
}
/** A session as it begins; `cookie` is a Set-Cookie line. */
export type OpenedSession = { readonly session: Session; readonly cookie: string }

export type Sessions = {
  open(account: Pick<Session, 'wallet' | 'chainId' | 'proof'>): Promise<OpenedSession>
  /** Whose session a request carries; null for none, a forged, an old or an ended one. @throws SERVICE_BUSY */
  read(request: { readonly headers: readonly (readonly [string, string])[] }): Promise<Session | null>
  /** Ends it everywhere; answers the Set-Cookie line that makes the browser forget it. */
  close(sid: string): Promise<string>
}

export type SessionDeps = {
  /** Thirty-two bytes that nothing else is keyed with. */
  readonly key: Uint8Array
  readonly baseUrl: string
  readonly cookie: SessionCookie
  readonly hours: number
  readonly store: {
    put(session: Session & { readonly createdAt: Date }): Promise<void>
    isOpen(sid: string, now: Date): Promise<boolean>
    end(sid: string): Promise<void>
  }
  /** Sessions this process saw open a moment ago. */
  readonly seen: { get(sid: string): true | undefined; set(sid: string, value: true): void; delete(sid: string): void }
  readonly now: () => Date
}

const type = 'svc-session+jwt'
const algorithm = 'HS256'

/**
 * Sessions of people. The token says whose it is and for which service; whether it is still open is a row, so that
 * signing out ends every copy. Other tokens of the service have another type and never pass for one (decision 0048).
 */
export function createSessions(deps: SessionDeps): Sessions {
  const key = createSecretKey(deps.key)
  const prove = async (token: string): Promise<Session | null> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        typ: type,
        audience: deps.baseUrl,
        requiredClaims: ['sub', 'exp', 'iat', 'sid'],
        currentDate: deps.now(),
      })
      const account = parseCaip10(String(payload.sub))
      const { exp, sid, key: byKey } = payload
      if (account.chainId === undefined || exp === undefined || typeof sid !== 'string' || typeof byKey !== 'boolean')
        return null
      return {
        sid,
        wallet: account.address,
        chainId: account.chainId,
        proof: accountProof(byKey, account.chainId),
        expiresAt: new Date(exp * 1_000),
      }
    } catch {
      return null
    }
  }
  return {
    async open({ wallet, chainId, proof }) {
      const createdAt = deps.now()
      const startSec = Math.floor(createdAt.getTime() / 1_000)
      const lifeSec = deps.hours * 3_600
      const session: Session = {
        sid: randomUUID(),
        wallet,
        chainId,
        proof,
        expiresAt: new Date((startSec + lifeSec) * 1_000),
      }
      const token = await new SignJWT({ sid: session.sid, key: proof === 'key' })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setSubject(caip10(chainId, wallet))
        .setAudience(deps.baseUrl)
        .setIssuedAt(startSec)
        .setExpirationTime(startSec + lifeSec)
        .sign(key)
      await deps.store.put({ ...session, createdAt })
      return { session, cookie: deps.cookie.set(token, lifeSec) }
    },
    async read({ headers }) {
      const token = deps.cookie.read(headers)
      const session = token === undefined ? null : await prove(token)
      if (session === null || deps.seen.get(session.sid) === true) return session
      if (!(await deps.store.isOpen(session.sid, deps.now()))) return null
      deps.seen.set(session.sid, true)
      return session
    },
    async close(sid) {
      await deps.store.end(sid)
      deps.seen.delete(sid)
      return deps.cookie.forget
    },
  }
}

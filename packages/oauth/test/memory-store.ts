import type { CodeGrant, Grant, OAuthStore, RegisteredClient, RevokedFor, SignIn, SigningEpoch } from '../src/index.ts'

type Row = CodeGrant & { isUsed: boolean; isRevoked: boolean; why: RevokedFor | null }
type Refresh = { grantId: string; expiresAt: Date; isUsed: boolean }

export type MemoryStore = OAuthStore & {
  readonly epochs: SigningEpoch[]
  /** Grants that are renewed no more today. */
  readonly spent: Set<string>
  readonly whyRevoked: (grantId: string) => RevokedFor | null
  readonly grants: () => readonly Grant[]
}

/** Does in one step what a statement of the database does in one. */
export function createMemoryStore(): MemoryStore {
  const clients = new Map<string, RegisteredClient>()
  const signIns = new Map<string, SignIn>()
  const grants = new Map<string, Row & { codeHash: string }>()
  const refreshes = new Map<string, Refresh>()
  const spent = new Set<string>()
  const epochs: SigningEpoch[] = [{ epoch: 1, signsFrom: new Date(0), shownUntil: null }]
  const byCode = (hash: string) => [...grants.values()].find(({ codeHash }) => codeHash === hash)
  const later = <T>(value: () => T): Promise<T> => Promise.resolve().then(value)
  return {
    epochs,
    spent,
    whyRevoked: (id) => grants.get(id)?.why ?? null,
    grants: () => [...grants.values()],
    putClient: (client, from) =>
      later(() => {
        clients.set(client.id, client)
        return from !== 'spent'
      }),
    findClient: (id) => later(() => clients.get(id) ?? null),
    putSignIn: (one) => later(() => void signIns.set(one.rid, { ...one, outcome: { kind: 'open' } })),
    findSignIn: (rid, now) =>
      later(() => {
        const one = signIns.get(rid)
        return one !== undefined && one.expiresAt > now ? one : null
      }),
    decide: (rid, outcome, now) =>
      later(() => {
        const one = signIns.get(rid)
        if (one?.outcome.kind !== 'open' || one.expiresAt <= now) return false
        signIns.set(rid, { ...one, outcome })
        return true
      }),
    finish: (rid, grant, now) =>
      later(() => {
        const one = signIns.get(rid)
        const wanted = grant === null ? 'denied' : 'allowed'
        if (one?.outcome.kind !== wanted || one.expiresAt <= now) return false
        signIns.set(rid, { ...one, outcome: { kind: 'finished' } })
        if (grant !== null) grants.set(grant.id, { ...grant, isUsed: false, isRevoked: false, why: null })
        return true
      }),
    findCode: (hash) => later(() => byCode(hash) ?? null),
    redeem: (hash, refresh, now) =>
      later(() => {
        const row = byCode(hash)
        if (row === undefined || row.isUsed || row.isRevoked || row.codeExpiresAt <= now) return false
        row.isUsed = true
        if (refresh !== null)
          refreshes.set(refresh.hash, { grantId: row.id, expiresAt: refresh.expiresAt, isUsed: false })
        return true
      }),
    rotate: (hash, clientId, next, now) =>
      later(() => {
        const [token, row] = [refreshes.get(hash), grants.get(refreshes.get(hash)?.grantId ?? '')]
        if (token === undefined || row === undefined || token.isUsed || token.expiresAt <= now) return null
        if (row.isRevoked || row.clientId !== clientId || spent.has(row.id)) return null
        token.isUsed = true
        refreshes.set(next.hash, { grantId: row.id, expiresAt: next.expiresAt, isUsed: false })
        return row
      }),
    findRefresh: (hash) =>
      later(() => {
        const [token, row] = [refreshes.get(hash), grants.get(refreshes.get(hash)?.grantId ?? '')]
        return token === undefined || row === undefined
          ? null
          : {
              grantId: row.id,
              clientId: row.clientId,
              scopes: row.scopes,
              isUsed: token.isUsed,
              isSpent: !token.isUsed && spent.has(row.id),
            }
      }),
    revoke: (id, why) =>
      later(() => {
        const row = grants.get(id)
        if (row === undefined || row.isRevoked) return
        row.isRevoked = true
        row.why = why
      }),
    isLive: (id) => later(() => grants.get(id)?.isRevoked === false),
    signingEpochs: () => later(() => [...epochs]),
  }
}

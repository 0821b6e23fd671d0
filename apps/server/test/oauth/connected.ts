import { randomBytes } from 'node:crypto'
import { digestOf, type Choice } from '@ergon/oauth'
import { lowerAddress } from '@ergon/protocols'
import { createOAuthStore, createPool } from '../../src/adapters/postgres/index.ts'

const redirectUri = 'https://tool.example/callback'

/** A tool that a wallet let in, as far as the database can tell; answers its grant. */
export async function connectTool(
  databaseUrl: string,
  wallet: string,
  change: Partial<Choice> & { readonly clientId?: string; readonly clientName?: string } = {},
): Promise<string> {
  const pool = createPool(databaseUrl, { size: 1 })
  try {
    const store = createOAuthStore(pool)
    const { clientId = 'a-registered-tool', clientName = 'Tool', ...choice } = change
    const [rid, code] = [randomBytes(16).toString('hex'), randomBytes(32).toString('base64url')]
    const now = new Date()
    const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000)
    const chosen = {
      address: lowerAddress(wallet),
      chainId: 31337,
      scopes: ['task:read'],
      limits: null,
      ...choice,
    }
    const asked = { clientId, clientName, redirectUri, resource: 'https://tools.example/mcp', challenge: 'challenge' }
    await store.putSignIn({
      ...asked,
      rid,
      clientHost: null,
      state: null,
      scopes: chosen.scopes,
      csrfHash: 'csrf',
      expiresAt: later(600),
    })
    await store.decide(rid, { kind: 'allowed', by: 'signature', ...chosen }, now)
    const id = digestOf(`grant ${rid}`)
    const [codeHash, days] = [digestOf(code), 86_400]
    const times = { codeExpiresAt: later(60), expiresAt: later(180 * days) }
    await store.finish(rid, { ...asked, ...chosen, ...times, id, codeHash }, now)
    await store.redeem(codeHash, { hash: digestOf(`refresh ${rid}`), expiresAt: later(30 * days) }, now)
    return id
  } finally {
    await pool.end()
  }
}

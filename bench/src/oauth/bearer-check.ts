import { createAuthorizationServer, createNotes, type OAuthStore } from '@ergon/oauth'
import { createAccounts, createBearerGrants, createBearers, createRefusedSignatures } from '@ergon/server/testing'
import { randomBytes, randomUUID } from 'node:crypto'
import { median } from '../measure/median.ts'

const perRound = 20_000
const rounds = 9

/** CPU of the check of a token at the gate, µs a call: its grant is known here and asked about twice a second. */
export async function bearerCheckUs(): Promise<number> {
  await using parts = new AsyncDisposableStack()
  const notes = () =>
    parts.use(
      createNotes({
        write: () => Promise.resolve(),
        elapsedMs: () => performance.now(),
        onError: (error) => {
          throw error
        },
      }),
    )
  const server = bearerServer()
  const { token, resource } = await server.issue()
  const bearers = createBearers({
    grants: createBearerGrants(server.server, { uses: notes(), steps: notes() }),
    accounts: createAccounts({
      find: () => Promise.resolve({ proof: 'key', hasActed: true }),
      begin: () => Promise.resolve({ proof: 'key', hasActed: true }),
      keep: () => Promise.resolve(),
    }),
    limits: { refused: createRefusedSignatures(() => 60) },
    resource,
    metadataUrl: 'https://market.example/.well-known/oauth-protected-resource/mcp',
    now: Date.now,
  })
  const request = {
    method: 'POST',
    target: '/mcp/',
    ip: '192.0.2.1',
    headers: [
      ['host', 'mcp.market.example'],
      ['content-type', 'application/json'],
      ['accept', 'application/json, text/event-stream'],
      ['mcp-protocol-version', '2026-07-28'],
      ['authorization', `Bearer ${token}`],
    ],
    body: Buffer.alloc(0),
    requestId: 'bench',
  } as const
  const figures: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const before = process.cpuUsage()
    for (let call = 0; call < perRound; call += 1)
      if ((await bearers.prove(request)) === undefined) throw new Error('the token is refused')
    const { user, system } = process.cpuUsage(before)
    if (round > 0) figures.push((user + system) / perRound)
  }
  return median(figures)
}

const places = { issuer: 'https://market.example', toolHost: 'https://mcp.market.example' }
const basic = ['task:read', 'task:write', 'task:cancel', 'worker:apply', 'agent:publish']
const grant = {
  id: 'a grant',
  clientId: 'bench',
  address: '0x00000000000000000000000000000000000000b1',
  chainId: 8_453,
  scopes: basic,
  limits: null,
  resource: `${places.toolHost}/mcp`,
} as const

/** An authorization server of one grant, and a token of it. */
function bearerServer() {
  // What renews a token and what asks about it; nothing else is called.
  const store = {
    rotate: () => Promise.resolve(grant),
    isLive: () => Promise.resolve(true),
    signingEpochs: () => Promise.resolve([{ epoch: 1, signsFrom: new Date(0), shownUntil: null }]),
  } as unknown as OAuthStore
  const server = createAuthorizationServer({
    places,
    rules: { all: [...basic, 'agent:approve'], basic, approve: 'agent:approve' },
    store,
    wallets: { isSigned: () => Promise.resolve(false) },
    documents: { fetch: () => Promise.reject(new Error('there are no documents here')) },
    secrets: { signing: new Uint8Array(32).fill(1), capability: new Uint8Array(32).fill(2) },
    nextId: () => randomUUID(),
    randomBytes: (length) => randomBytes(length),
    now: () => new Date(),
    elapsedMs: () => performance.now(),
  })
  return {
    server,
    async issue() {
      const answer = await server.tokens.answer('grant_type=refresh_token&client_id=bench&refresh_token=x')
      return { token: answer.access_token, resource: grant.resource }
    },
  }
}

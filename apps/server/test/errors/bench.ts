import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { generatePrivateKey } from '@ergon/protocols'
import pg from 'pg'
import { startRig, type Rig } from '../adapters/rig.ts'
import type { Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { liveChannels } from '../http/live-channels.ts'
import { adminKey, asAdmin } from '../http/live-admin.ts'
import { startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'
import { signedIn, type Person } from '../http/live-people.ts'
import { createTokens, type Tokens } from '../mcp/tokens.ts'
import { geocoderNowhere } from '../places/geocoder-double.ts'
import { jobs } from '../tour/scene.ts'
import { startRefusingFacilitator, type RefusingFacilitator } from './refusing-facilitator.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/**
 * A market whose parts can be broken one at a time: its facilitator, its chain, its database. Its background duties
 * stand still, so that what a producer set up is what its request meets.
 */
export type Bench = AsyncDisposable &
  ReturnType<typeof jobs> & {
    readonly rig: Rig
    readonly market: LiveMarket
    readonly facilitator: RefusingFacilitator
    readonly publisher: Party
    readonly worker: Party
    readonly person: Person
    /** Another process over the same database, which registers nobody and has an empty list of agent keys. */
    readonly strict: LiveMarket
    /** Another, whose first network takes no ratings. */
    readonly unrated: LiveMarket
    /** Another, whose tool endpoint takes these tokens. */
    readonly tools: LiveMarket
    readonly tokens: Tokens
    /** Channels of metered tasks, which only the first market has. */
    readonly channels: ReturnType<typeof liveChannels>['fake']
    admin(method: string, target: string, body?: unknown): Promise<Reply>
    sql(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>
    /** Runs while nobody reaches the facilitator. */
    withoutFacilitator<T>(during: () => Promise<T>): Promise<T>
    /** Runs while a table is not there. */
    withoutTable<T>(table: string, during: () => Promise<T>): Promise<T>
    /** Runs while a table is held by another transaction, which lets go when it is over. */
    whileHeld<T>(table: string, during: (letGo: () => Promise<void>) => Promise<T>): Promise<T>
  }

export async function openBench(): Promise<Bench> {
  await using stack = new AsyncDisposableStack()
  const rig = stack.use(await startRig())
  const facilitator = stack.use(await startRefusingFacilitator(rig.settings.facilitatorUrl))
  const database = stack.use(await createTestDatabase(serverSchema))
  const env = {
    DATABASE_URL: database.url,
    SVC_FACILITATOR_URL: facilitator.url,
    SVC_ADMIN_KEY: adminKey,
    SVC_PUBLISH_PER_HOUR: '0',
  }
  const folder = await mkdtemp(join(tmpdir(), 'ergon-errors-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'keys.json'), '[]')
  const channels = liveChannels()
  const market = stack.use(
    await startLiveMarket({ ...env, ...geocoderNowhere, SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true' }, rig, {
      withoutDuties: true,
      channels: channels.wired,
    }),
  )
  const strict = stack.use(
    await startLiveMarket({ ...env, SVC_AUTO_REGISTER: 'false', SVC_AGENT_KEYS: join(folder, 'keys.json') }, rig, {
      withoutDuties: true,
    }),
  )
  // Money is real there, so what is for development is refused (decision 0090).
  const secrets = { SVC_ADMIN_KEY: randomBytes(32).toString('hex'), SVC_SECRET: randomBytes(32).toString('hex') }
  const abroad = {
    ...secrets,
    SVC_NETWORKS: 'avalanche,localnet',
    SVC_IDENTITY_NETWORK: 'avalanche',
    SVC_BASE_URL: `https://${authority}`,
    SVC_RPC_AVALANCHE: rig.settings.networks[0]?.rpcUrls[0],
    SVC_ORDER_SIGNER_KEY: generatePrivateKey(),
  }
  const unrated = stack.use(
    await startLiveMarket({ ...env, ...abroad }, rig, { withoutDuties: true, unproven: true, forgets: true }),
  )
  const tokens = createTokens()
  const tools = stack.use(
    await startLiveMarket({ ...env, SVC_OAUTH: 'true' }, rig, { withoutDuties: true, grants: tokens.grants }),
  )
  const [publisher, worker] = [await market.party(1_000n), await market.party(0n)]
  const person = await signedIn(market, publisher)
  const pool = new pg.Pool({ connectionString: database.url, max: 3 })
  stack.defer(() => pool.end())
  const sql: Bench['sql'] = async (text, values = []) =>
    (await pool.query<Record<string, unknown>>(text, [...values])).rows
  const owned = stack.move()
  return {
    rig,
    market,
    facilitator,
    publisher,
    worker,
    person,
    strict,
    unrated,
    tools,
    tokens,
    channels: channels.fake,
    sql,
    ...jobs(publisher, worker, person),
    admin: (method, target, body) => asAdmin(market, method, target, body),
    async withoutFacilitator(during) {
      await rig.facilitatorLine.close()
      try {
        return await during()
      } finally {
        await rig.facilitatorLine.open()
      }
    },
    async withoutTable(table, during) {
      await sql(`alter table ${table} rename to ${table}_away`)
      try {
        return await during()
      } finally {
        await sql(`alter table ${table}_away rename to ${table}`)
      }
    },
    async whileHeld(table, during) {
      const client = await pool.connect()
      const letGo = async (): Promise<void> => {
        await client.query('rollback')
      }
      try {
        await client.query('begin')
        await client.query(`lock table ${table} in access exclusive mode`)
        return await during(letGo)
      } finally {
        await letGo()
        client.release()
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

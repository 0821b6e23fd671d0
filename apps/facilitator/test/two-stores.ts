import { createTestDatabase } from '@ergon/dev-env/testing'
import { Pool } from 'pg'
import { randomUUID } from 'node:crypto'
import type { Intent, IntentStore, Outcome } from '../src/store/intents.ts'
import { createIntentStore } from '../src/store/postgres-intents.ts'
import { createRegistrationStore } from '../src/store/postgres-registrations.ts'
import type { RegistrationStore } from '../src/store/registrations.ts'
import { createMemoryDatabase } from '../src/testing/memory-store.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

export type Stores = AsyncDisposable & {
  readonly intents: IntentStore
  readonly registrations: RegistrationStore
  raise(account: string): Promise<number>
  /** What is there becomes older. */
  age(days: number): Promise<void>
}

async function onPostgres(): Promise<Stores> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  const pool = new Pool({ connectionString: database.url, max: 4 })
  pool.on('error', () => undefined)
  stack.defer(() => pool.end())
  const owned = stack.move()
  return {
    intents: createIntentStore(pool),
    registrations: createRegistrationStore(pool),
    async raise(account) {
      const { rows } = await pool.query<{ epoch: string }>(
        `insert into account_leases (account, epoch) values ($1, 1)
        on conflict (account) do update set epoch = account_leases.epoch + 1 returning epoch`,
        [account],
      )
      return Number(rows[0]?.epoch)
    },
    async age(days) {
      await pool.query("update intents set settled_at = settled_at - $1 * interval '1 day'", [days])
      await pool.query("update registrations set created_at = created_at - $1 * interval '1 day'", [days])
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function inMemory(): Promise<Stores> {
  let older = 0
  const { intents, registrations, raise } = createMemoryDatabase(() => Date.now() + older)
  return {
    intents,
    registrations,
    raise: async (account) => raise(account),
    async age(days) {
      older += days * 86_400_000
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

export const account = `0x${'ab'.repeat(20)}` as const
let nonces = 0

export function anIntent(overrides: Partial<Intent> = {}): Intent {
  nonces += 1
  return {
    id: randomUUID(),
    network: 'localnet',
    kind: 'exact',
    onceKey: null,
    sameness: 'same',
    idempotencyKey: null,
    requestHash: 'hash',
    account,
    accountNonce: nonces,
    transactions: [{ raw: '0x01', hash: '0x02' }],
    call: { to: account, data: '0x', gas: '1' },
    expectations: [],
    status: 'sent',
    outcome: null,
    ...overrides,
  }
}

export const landed: Outcome = { transaction: '0x02', blockNumber: 7, logs: [] }
export const failed: Outcome = { ...landed, failure: { code: 'ContractCall', reason: 'no' } }

/** Where the same suite holds for both. */
export const bothStores = [
  ['PostgreSQL', onPostgres],
  ['memory', inMemory],
] as const

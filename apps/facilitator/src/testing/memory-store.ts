import {
  keyDays,
  registrationKeyDays,
  type Intent,
  type IntentStore,
  type Bound,
  type StoredRefusal,
} from '../store/intents.ts'
import { registrationKey, type Registration, type RegistrationStore } from '../store/registrations.ts'

type IntentRow = Intent & {
  readonly isVoid: boolean
  readonly createdAt: number
  readonly settledAt: number | null
  readonly missedAt: number | null
  readonly isDeep: boolean
}
type KeyRow = {
  readonly requestHash: string
  readonly intentId: string | null
  readonly registrationId: string | null
  readonly refusal: StoredRefusal | null
  readonly keepUntil: number
}

/**
 * The facilitator's database in memory, as PostgreSQL would have it after each statement. Every method happens whole at
 * the moment it is called; who wants delays, lost answers or cut lines puts them around it.
 */
export type MemoryDatabase = {
  readonly intents: IntentStore
  readonly registrations: RegistrationStore
  /** What a process does that holds the account's lock: fences every earlier one off. */
  raise(account: string): number
  /** The rows as they are, tombstones left out. */
  rows(): readonly Intent[]
}

type Tables = {
  readonly now: () => number
  readonly intents: Map<string, IntentRow>
  /** The id of the live intent of each once-key. */
  readonly onces: Map<string, string>
  readonly keys: Map<string, KeyRow>
  readonly registrations: Map<string, Registration | 'void'>
  readonly registeredAt: Map<string, number>
  readonly epochs: Map<string, number>
}

const dayMs = 86_400_000
const reopenableMs = 600_000

/** `now` is the database's own clock, in milliseconds. */
export function createMemoryDatabase(now: () => number): MemoryDatabase {
  const tables: Tables = {
    now,
    intents: new Map(),
    onces: new Map(),
    keys: new Map(),
    registrations: new Map(),
    registeredAt: new Map(),
    epochs: new Map(),
  }
  return {
    intents: createIntents(tables),
    registrations: createRegistrations(tables),
    raise(account) {
      const epoch = (tables.epochs.get(account.toLowerCase()) ?? 0) + 1
      tables.epochs.set(account.toLowerCase(), epoch)
      return epoch
    },
    rows: () => [...tables.intents.values()].filter((row) => !row.isVoid),
  }
}

function isHeld(tables: Tables, account: string | undefined, epoch: number): boolean {
  return account !== undefined && tables.epochs.get(account.toLowerCase()) === epoch
}

function onceOf({ network, onceKey }: Intent): string | undefined {
  return onceKey === null ? undefined : `${network} ${onceKey}`
}

function createIntents(tables: Tables): IntentStore {
  const { intents, onces, keys, now } = tables
  const change = (id: string, next: (row: IntentRow) => Partial<IntentRow> | undefined): void => {
    const row = intents.get(id)
    const changed = row === undefined || row.isVoid ? undefined : next(row)
    if (row !== undefined && changed !== undefined) intents.set(id, { ...row, ...changed })
  }
  return {
    async insert(batch, epoch) {
      if (!isHeld(tables, batch[0]?.account, epoch)) return 'fenced'
      const ownOnces = batch.flatMap((one) => onceOf(one) ?? [])
      const ownKeys = batch.flatMap((one) => one.idempotencyKey ?? [])
      const isConflict =
        new Set(ownOnces).size < ownOnces.length ||
        ownOnces.some((once) => onces.has(once)) ||
        batch.some((one) => intents.has(one.id)) ||
        new Set(ownKeys).size < ownKeys.length ||
        ownKeys.some((key) => keys.has(key))
      if (isConflict) return 'conflict'
      for (const one of batch) {
        intents.set(one.id, {
          ...one,
          status: 'sent',
          outcome: null,
          isVoid: false,
          createdAt: now(),
          settledAt: null,
          missedAt: null,
          isDeep: false,
        })
        const once = onceOf(one)
        if (once !== undefined) onces.set(once, one.id)
        if (one.idempotencyKey === null) continue
        keys.set(one.idempotencyKey, {
          requestHash: one.requestHash,
          intentId: one.id,
          registrationId: null,
          refusal: null,
          keepUntil: Infinity,
        })
      }
      return 'written'
    },
    async fence(ids) {
      for (const id of ids) if (!intents.has(id)) intents.set(id, { ...nothing, id, createdAt: now() })
      return ids.some((id) => intents.get(id)?.isVoid === false) ? 'written' : 'void'
    },
    async find(network, onceKeys, idempotencyKeys) {
      const live = onceKeys.flatMap((key) => intents.get(onces.get(`${network} ${key}`) ?? '') ?? [])
      return { live: live.map(bare), bound: idempotencyKeys.flatMap((key) => boundTo(tables, key) ?? []) }
    },
    async bind(key, requestHash, refusal, keepMs) {
      const known = boundTo(tables, key)
      if (known !== undefined) return known
      const row = {
        requestHash,
        intentId: null,
        registrationId: null,
        refusal: copy(refusal),
        keepUntil: now() + keepMs,
      }
      keys.set(key, row)
      return { key, requestHash, intent: null, registrationId: null, refusal: row.refusal }
    },
    async release(key) {
      const bound = boundTo(tables, key)
      if (bound !== undefined && (bound.refusal !== null || bound.intent?.status === 'failed')) keys.delete(key)
    },
    async addTransaction(id, transaction, epoch) {
      const row = intents.get(id)
      if (row === undefined || row.isVoid || row.status !== 'sent' || !isHeld(tables, row.account, epoch)) return false
      intents.set(id, { ...row, transactions: [...row.transactions, transaction] })
      return true
    },
    async settle(settled) {
      for (const { id, status, outcome, isDeep } of settled) {
        change(id, (row) =>
          row.status === 'sent' || (row.status === 'failed' && status === 'succeeded')
            ? { status, outcome: copy(outcome), isDeep, settledAt: now(), missedAt: null }
            : undefined,
        )
        const row = intents.get(id)
        const once = row === undefined ? undefined : onceOf(row)
        if (once === undefined || row === undefined) continue
        if (row.status !== 'failed') onces.set(once, id)
        else if (onces.get(once) === id) onces.delete(once)
      }
    },
    async miss(ids) {
      for (const id of ids) change(id, (row) => ({ missedAt: row.missedAt ?? now() }))
      return new Map(
        ids.flatMap((id) => {
          const missedAt = intents.get(id)?.missedAt
          return missedAt === undefined || missedAt === null ? [] : [[id, now() - missedAt] as const]
        }),
      )
    },
    async regain(ids) {
      for (const id of ids) change(id, () => ({ missedAt: null }))
    },
    async open(network) {
      const rows = [...intents.values()].filter(
        (row) => !row.isVoid && row.status === 'sent' && row.network === network,
      )
      return rows
        .toSorted((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : a.accountNonce - b.accountNonce))
        .map(bare)
    },
    async reopen(network, account, fromNonce, settledForMs) {
      const undone = landedFrom(tables, { network, account, fromNonce }).filter(
        (row) => !row.isDeep || ageOf(tables, row) < reopenableMs,
      )
      if (!undone.some((row) => ageOf(tables, row) >= settledForMs)) return []
      const opened = { status: 'sent', outcome: null, isDeep: false, settledAt: null, missedAt: null } as const
      for (const row of undone) change(row.id, () => opened)
      return undone.flatMap((row) => intents.get(row.id) ?? []).map(bare)
    },
    async shallow(network, account, fromNonce, limit) {
      return landedFrom(tables, { network, account, fromNonce })
        .filter((row) => !row.isDeep)
        .toSorted((a, b) => a.accountNonce - b.accountNonce)
        .slice(0, limit)
        .map((row) => ({ intent: bare(row), settledForMs: ageOf(tables, row) }))
    },
    async restate(restated) {
      for (const { id, outcome, isDeep } of restated)
        change(id, (row) =>
          row.status === 'succeeded'
            ? { isDeep, outcome: outcome === undefined ? row.outcome : copy(outcome) }
            : undefined,
        )
    },
    async purge(limit) {
      const refusals = [...keys].filter(([, row]) => row.refusal !== null && row.keepUntil < now()).slice(0, limit)
      const tombstones = [...intents.values()]
        .filter((row) => row.isVoid && row.createdAt < now() - dayMs)
        .slice(0, limit)
      for (const [key] of refusals) keys.delete(key)
      for (const row of tombstones) intents.delete(row.id)
      return refusals.length + tombstones.length + purgeKeys(tables, limit)
    },
  }
}

type From = Pick<Intent, 'network' | 'account'> & { readonly fromNonce: number }

function landedFrom({ intents }: Tables, { network, account, fromNonce }: From): readonly IntentRow[] {
  return [...intents.values()].filter(
    (row) =>
      row.status === 'succeeded' &&
      !row.isVoid &&
      row.network === network &&
      row.account === account &&
      row.accountNonce >= fromNonce,
  )
}

function ageOf({ now }: Tables, { settledAt }: IntentRow): number {
  return settledAt === null ? 0 : now() - settledAt
}

/** The keys of what ended long ago. */
function purgeKeys({ intents, registrations, registeredAt, keys, now }: Tables, limit: number): number {
  const ended = [...intents.values()]
    .filter(
      ({ idempotencyKey, settledAt }) =>
        idempotencyKey !== null && settledAt !== null && settledAt < now() - keyDays * dayMs,
    )
    .slice(0, limit)
  for (const row of ended) {
    if (row.idempotencyKey !== null && keys.get(row.idempotencyKey)?.intentId === row.id)
      keys.delete(row.idempotencyKey)
    intents.set(row.id, { ...row, idempotencyKey: null })
  }
  const registered = [...registrations.values()]
    .filter((row) => row !== 'void')
    .filter(
      ({ id, idempotencyKey, status }) =>
        idempotencyKey !== null &&
        (status === 'done' || status === 'failed') &&
        (registeredAt.get(id) ?? Infinity) < now() - registrationKeyDays * dayMs,
    )
    .slice(0, limit)
  for (const row of registered) {
    const key = registrationKey(row.idempotencyKey ?? '')
    if (keys.get(key)?.registrationId === row.id) keys.delete(key)
    registrations.set(row.id, { ...row, idempotencyKey: null })
  }
  return ended.length + registered.length
}

function boundTo(tables: Tables, key: string): Bound | undefined {
  const row = tables.keys.get(key)
  if (row === undefined) return undefined
  const intent = row.intentId === null ? undefined : tables.intents.get(row.intentId)
  return {
    key,
    requestHash: row.requestHash,
    intent: intent === undefined ? null : bare(intent),
    registrationId: row.registrationId,
    refusal: row.refusal,
  }
}

function createRegistrations(tables: Tables): RegistrationStore {
  const { registrations, keys } = tables
  const rows = (): Registration[] => [...registrations.values()].filter((row) => row !== 'void')
  const find = (id: string): Registration | undefined => {
    const row = registrations.get(id)
    return row === 'void' ? undefined : row
  }
  return {
    async insert({ id, ...registration }, account, epoch) {
      if (!isHeld(tables, account, epoch)) return 'fenced'
      const isSame = (row: Registration): boolean =>
        (row.status === 'pending' || row.status === 'mint_confirmed') &&
        row.network === registration.network &&
        row.agentUri === registration.agentUri &&
        row.recipient === registration.recipient
      if (registrations.has(id) || rows().some(isSame)) return 'in_flight'
      const { idempotencyKey, requestHash } = registration
      const key = idempotencyKey === null ? undefined : registrationKey(idempotencyKey)
      if (key !== undefined && keys.has(key)) return 'conflict'
      const row: Registration = {
        ...registration,
        id,
        status: 'pending',
        agentId: null,
        mintTransaction: null,
        transferTransaction: null,
        error: null,
      }
      registrations.set(id, row)
      tables.registeredAt.set(id, tables.now())
      if (key !== undefined)
        keys.set(key, { requestHash, intentId: null, registrationId: id, refusal: null, keepUntil: Infinity })
      return row
    },
    async fence(id) {
      if (!registrations.has(id)) registrations.set(id, 'void')
      return find(id)
    },
    find: async (id) => find(id),
    async update(id, change) {
      const row = find(id)
      if (row === undefined) throw new Error(`registration ${id} is gone`)
      const next = { ...row, ...change, error: change.error ?? null }
      registrations.set(id, next)
      return next
    },
    async withdraw(id, error) {
      const row = find(id)
      if (row !== undefined) registrations.set(id, { ...row, status: 'failed', error })
      for (const [key, bound] of keys) if (bound.registrationId === id) keys.delete(key)
    },
    unfinished: async () => rows().filter((row) => row.status === 'pending' || row.status === 'mint_confirmed'),
  }
}

const nothing: IntentRow = {
  id: '',
  network: '',
  kind: 'tombstone',
  onceKey: null,
  sameness: '',
  idempotencyKey: null,
  requestHash: '',
  account: '0x',
  accountNonce: -1,
  transactions: [],
  call: { to: '0x', data: '0x', gas: '0' },
  expectations: [],
  status: 'sent',
  outcome: null,
  isVoid: true,
  createdAt: 0,
  settledAt: null,
  missedAt: null,
  isDeep: false,
}

function bare({ isVoid: _v, createdAt: _c, settledAt: _s, missedAt: _m, isDeep: _d, ...intent }: IntentRow): Intent {
  return intent
}

/** As a column of JSON gives it back. */
function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T // it came from a T
}

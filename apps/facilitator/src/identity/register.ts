import type { Address } from '@ergon/protocols'
import type { Terms } from '../chain/draft.ts'
import { finalRefusal, keyConflict } from '../chain/recognise.ts'
import type { Lease } from '../chain/write-intents.ts'
import { notSent, pending, Refusal } from '../errors.ts'
import { gasOfRegistration, type GasBudget } from '../gas/gas-budget.ts'
import { mostGasOfIdentities, tooDearAbove } from '../gas/gas-share.ts'
import { isPast, type CarryOutDeps } from '../settle/carry-out.ts'
import { orderExpired } from '../settle/deadline.ts'
import type { Bound } from '../store/intents.ts'
import {
  registrationKey,
  type NewRegistration,
  type Registration,
  type RegistrationStore,
} from '../store/registrations.ts'
import { delay } from '../surroundings/surroundings.ts'
import { stepKey } from './mint-step.ts'
import { asOnChain } from './minted.ts'
import { finishRegistration } from './registration-steps.ts'

/**
 * Mints an agent and hands it over in one transaction, finished across a restart. A key that names a recipient for good
 * is usual here, so a registration that failed frees its key, and no refusal of one is final.
 */
export type Registrar = {
  /** Begins, or joins what the idempotency key began. `finished` resolves with the last state reached. */
  begin(registration: NewRegistration, terms: Terms): Promise<Begun>
  /** As its chain has it now: what is done may be undone, and mined again under another number. */
  find(id: string): Promise<Registration | undefined>
  /** Takes up what an earlier process began. */
  resume(): Promise<void>
  stop(): void
}

export type Begun = { readonly id: string; readonly finished: Promise<Registration> }

export type RegistrarDeps = CarryOutDeps & {
  readonly account: Address
  readonly store: RegistrationStore
  readonly lease: Lease
  readonly gas: GasBudget | undefined
  readonly onTrouble: (message: string, error: unknown) => void
}

export type Desk = {
  readonly deps: RegistrarDeps
  readonly running: Map<string, Promise<Registration>>
  stopped: boolean
}

export function createRegistrar(deps: RegistrarDeps): Registrar {
  const desk: Desk = { deps, running: new Map(), stopped: false }
  return {
    begin: (registration, terms) => begin(desk, registration, terms),
    async find(id) {
      const row = await deps.store.find(id)
      if (row?.status !== 'done') return row
      const { bound } = await deps.intents.find('', [], [stepKey('register', id)])
      return asOnChain(row, bound[0]?.intent)
    },
    async resume() {
      for (const row of await deps.store.unfinished()) {
        start(desk, row).catch((error: unknown) => {
          deps.onTrouble('a registration could not be finished', error)
        })
      }
    },
    stop() {
      desk.stopped = true
    },
  }
}

function start(desk: Desk, registration: Registration): Promise<Registration> {
  const known = desk.running.get(registration.id)
  if (known !== undefined) return known
  const work = finishRegistration(desk, registration).finally(() => {
    desk.running.delete(registration.id)
  })
  work.catch(() => undefined)
  desk.running.set(registration.id, work)
  return work
}

async function begin(desk: Desk, registration: NewRegistration, terms: Terms): Promise<Begun> {
  const { deps } = desk
  const key = terms.idempotencyKey === undefined ? undefined : registrationKey(terms.idempotencyKey)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const earlier = key === undefined ? undefined : await known(() => deps.intents.find('', [], [key]))
    const [bound] = earlier?.bound ?? []
    if (bound !== undefined) return join(desk, bound, terms)
    if (isPast(terms, deps)) throw orderExpired()
    if (gasOfRegistration(storedBytes(registration)) > mostGasOfRegistration)
      throw new Refusal(
        'invalid_payload',
        `agentUri and metadata store too much: ${tooDearAbove(mostGasOfRegistration)}`,
      )
    if (attempt === 0)
      await deps.gas?.take(
        {
          of: 'identities',
          gas: gasOfRegistration(storedBytes(registration)),
          wallet: registration.recipient ?? undefined,
        },
        terms,
      )
    const id = deps.surroundings.id()
    const written = await deps.store
      .insert({ ...registration, id }, deps.account, deps.lease.epoch)
      .catch((error: unknown) => {
        void settleUnknown(desk, id)
        throw pending({ jobId: id }, error)
      })
    if (written === 'in_flight')
      throw new Refusal('registration_in_flight', 'the same registration is in flight', { status: 409 })
    if (written === 'fenced') {
      deps.lease.lost(new Error('another facilitator has taken over the account'))
      throw notSent('another facilitator has taken over')
    }
    if (written !== 'conflict') return { id, finished: start(desk, written) }
  }
  throw notSent('the registration could not be written')
}

const maxAttempts = 5
const { register: mostGasOfRegistration = Infinity } = mostGasOfIdentities

function storedBytes({ agentUri, metadata }: NewRegistration): number {
  return metadata.reduce(
    (sum, { key, value }) => sum + Buffer.byteLength(key) + (value.length - 2) / 2,
    Buffer.byteLength(agentUri),
  )
}

async function join(desk: Desk, bound: Bound, terms: Terms): Promise<Begun> {
  if (bound.requestHash !== terms.requestHash) throw keyConflict(bound)
  const { registrationId: id } = bound
  if (id === null) throw finalRefusal(bound.refusal)
  const row = await known(() => desk.deps.store.find(id))
  if (row === undefined) throw pending({ jobId: id })
  return { id, finished: row.status === 'failed' ? Promise.resolve(row) : start(desk, row) }
}

/** A store that does not answer leaves everything open. */
async function known<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw pending({}, error)
  }
}

/** The answer to an insert was lost: the row is either found and finished, or can never appear. */
async function settleUnknown(desk: Desk, id: string): Promise<void> {
  const { store, surroundings, onTrouble } = desk.deps
  for (let waitMs = 50; !desk.stopped; waitMs = Math.min(waitMs * 2, 1_000)) {
    try {
      const row = await store.fence(id)
      if (row !== undefined) await start(desk, row)
      return
    } catch (error) {
      if (desk.running.has(id) || error instanceof Refusal) return
      if (waitMs === 1_000) onTrouble('a registration waits for the store', error)
      await delay(surroundings, waitMs)
    }
  }
}

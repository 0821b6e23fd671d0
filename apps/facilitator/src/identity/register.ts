import { identityRegistryAbi, type Address, type Hex } from '@ergon/protocols'
import { expectAgentTransfer, expectRegistered } from '../chain/events.ts'
import type { Draft } from '../chain/draft.ts'
import { Refusal, Unavailable } from '../errors.ts'
import type { Networks, ServedNetwork } from '../network/served-network.ts'
import type { NewRegistration, Registration, RegistrationStore } from '../store/registrations.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { encodeCall } from './contract-calls.ts'
import { landed } from './feedback.ts'

/** Mints an agent and hands it over: two transactions, finished across a restart. */
export type Registrar = {
  /** Begins, or joins what the idempotency key stands for. `finished` resolves with the last state reached. */
  begin(registration: NewRegistration): Promise<{ readonly id: string; readonly finished: Promise<Registration> }>
  find(id: string): Promise<Registration | undefined>
  /** Takes up what an earlier process began. */
  resume(): Promise<void>
}

export type RegistrarDeps = {
  readonly networks: Networks
  readonly account: Address
  readonly store: RegistrationStore
  readonly surroundings: Surroundings
  readonly onTrouble: (message: string, error: unknown) => void
}

export function createRegistrar(deps: RegistrarDeps): Registrar {
  const { store } = deps
  const running = new Map<string, Promise<Registration>>()
  const start = (registration: Registration): Promise<Registration> => {
    const known = running.get(registration.id)
    if (known !== undefined) return known
    const work = carryOut(deps, registration).finally(() => { running.delete(registration.id) })
    work.catch(() => undefined)
    running.set(registration.id, work)
    return work
  }
  return {
    async begin(registration) {
      const earlier = registration.idempotencyKey === null ? undefined : await store.findKeyed(registration.idempotencyKey)
      if (earlier !== undefined) {
        if (earlier.requestHash !== registration.requestHash) throw new Refusal('idempotency_key_conflict', 'this Idempotency-Key was used with another body', { status: 409 })
        return { id: earlier.id, finished: earlier.status === 'done' ? Promise.resolve(earlier) : start(earlier) }
      }
      const row = await store.insert({ ...registration, id: deps.surroundings.id() })
      if (row === undefined) throw new Refusal('registration_in_flight', 'the same registration is in flight', { status: 409 })
      return { id: row.id, finished: start(row) }
    },
    find: (id) => store.find(id),
    async resume() {
      for (const row of await store.unfinished()) {
        start(row).catch((error: unknown) => { deps.onTrouble('a registration could not be finished', error) })
      }
    },
  }
}

async function carryOut(deps: RegistrarDeps, registration: Registration): Promise<Registration> {
  const network = deps.networks.find(registration.network)
  if (network?.registries === undefined) throw new Refusal('UnsupportedNetwork', `Network ${registration.network} is not served now`)
  const minted = registration.agentId === null ? await mint(deps, network, network.registries.identity, registration) : registration
  if (minted.recipient === null || minted.recipient === deps.account) return deps.store.update(minted.id, { status: 'done' })
  return handOver(deps, network, network.registries.identity, minted, minted.recipient)
}

async function mint(deps: RegistrarDeps, network: ServedNetwork, identity: Address, registration: Registration): Promise<Registration> {
  const metadata = registration.metadata.map(({ key, value }) => ({ metadataKey: key, metadataValue: value }))
  try {
    const outcome = landed(await network.pipeline.submit(stepOf('register', registration.id, identity, {
      data: await encodeCall({ abi: identityRegistryAbi, functionName: 'register', args: metadata.length === 0 ? [registration.agentUri] : [registration.agentUri, metadata] }),
      expectations: [expectRegistered(identity, deps.account)],
    })).outcome)
    const agentId = BigInt(outcome.logs[0]?.topics[1] ?? '0x0').toString()
    return await deps.store.update(registration.id, { status: 'mint_confirmed', agentId, mintTransaction: outcome.transaction })
  } catch (error) {
    // Nothing was minted, so the same registration may be asked for again. A mint that may still land stays in flight.
    if (isDefinite(error)) await deps.store.update(registration.id, { status: 'failed', error: error.message })
    throw error
  }
}

async function handOver(deps: RegistrarDeps, network: ServedNetwork, identity: Address, minted: Registration, recipient: Address): Promise<Registration> {
  const agentId = BigInt(minted.agentId ?? '0')
  try {
    const outcome = landed(await network.pipeline.submit(stepOf('register_transfer', minted.id, identity, {
      data: await encodeCall({ abi: identityRegistryAbi, functionName: 'safeTransferFrom', args: [deps.account, recipient, agentId] }),
      expectations: [expectAgentTransfer(identity, deps.account, recipient, agentId)],
    })).outcome)
    return await deps.store.update(minted.id, { status: 'done', transferTransaction: outcome.transaction })
  } catch (cause) {
    const details = { agentId: minted.agentId, transaction: minted.mintTransaction }
    throw new Refusal('transfer_failed', 'the agent is minted but could not be handed to its recipient', { status: 500, details, cause })
  }
}

function stepOf(kind: string, id: string, to: Address, step: { readonly data: Hex; readonly expectations: Draft['expectations'] }): Draft {
  return {
    kind,
    sameness: id,
    requestHash: id,
    // The space keeps these apart from callers' keys, which are visible characters only.
    idempotencyKey: ` ${kind}:${id}`,
    conflictKeys: [`registration:${id}`],
    call: { to, data: step.data },
    expectations: step.expectations,
    spent: () => new Refusal('ContractCall', 'already registered'),
    refuse: (revert) => new Refusal('ContractCall', `Contract call failed: ${revert.reason}`),
  }
}

function isDefinite(error: unknown): error is Error {
  return error instanceof Refusal || (error instanceof Unavailable && error.code === 'rpc_unavailable')
}

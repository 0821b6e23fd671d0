import { type Address, expectAgentTransfer, expectRegistered, type Hex, identityRegistryAbi } from '@ergon/protocols'
import type { Draft } from '../chain/draft.ts'
import { pending, Refusal, Unavailable } from '../errors.ts'
import type { ServedNetwork } from '../network/served-network.ts'
import { carryOut } from '../settle/carry-out.ts'
import type { Outcome } from '../store/intents.ts'
import type { Registration, RegistrationChange } from '../store/registrations.ts'
import { delay } from '../surroundings/surroundings.ts'
import { encodeCall } from './contract-calls.ts'
import { landed } from './landed.ts'
import type { Desk } from './register.ts'

/** Mints, then hands over. Each step has a key of its own, so that it is taken once however often this runs. */
export async function finishRegistration(desk: Desk, registration: Registration): Promise<Registration> {
  const { deps } = desk
  const network = deps.networks.find(registration.network)
  if (network?.registries === undefined)
    throw new Refusal('UnsupportedNetwork', `Network ${registration.network} is not served now`)
  const minted =
    registration.agentId === null ? await mint(desk, network, network.registries.identity, registration) : registration
  if (minted.recipient === null || minted.recipient === deps.account)
    return insist(desk, () => deps.store.update(minted.id, { status: 'done' }))
  return handOver(desk, network, network.registries.identity, minted, minted.recipient)
}

async function mint(
  desk: Desk,
  network: ServedNetwork,
  identity: Address,
  registration: Registration,
): Promise<Registration> {
  const { deps } = desk
  const { id, agentUri } = registration
  const metadata = registration.metadata.map(({ key, value }) => ({ metadataKey: key, metadataValue: value }))
  let outcome: Outcome
  try {
    outcome = landed(
      await take(
        desk,
        network,
        stepOf('register', id, identity, {
          data: await encodeCall({
            abi: identityRegistryAbi,
            functionName: 'register',
            args: metadata.length === 0 ? [agentUri] : [agentUri, metadata],
          }),
          expectations: [expectRegistered(identity, deps.account)],
        }),
      ),
      {},
    )
  } catch (error) {
    if (isPending(error)) throw error
    // Nothing was minted, so the same registration may be asked for again.
    await insist(desk, () => deps.store.withdraw(id, error instanceof Error ? error.message : 'unexpected_error'))
    throw error
  }
  const agentId = BigInt(outcome.logs[0]?.topics[1] ?? '0x0').toString()
  return update(desk, id, { status: 'mint_confirmed', agentId, mintTransaction: outcome.transaction })
}

async function handOver(
  desk: Desk,
  network: ServedNetwork,
  identity: Address,
  minted: Registration,
  recipient: Address,
): Promise<Registration> {
  const { account } = desk.deps
  const agentId = BigInt(minted.agentId ?? '0')
  const step = stepOf('register_transfer', minted.id, identity, {
    data: await encodeCall({
      abi: identityRegistryAbi,
      functionName: 'safeTransferFrom',
      args: [account, recipient, agentId],
    }),
    expectations: [expectAgentTransfer(identity, account, recipient, agentId)],
  })
  let outcome: Outcome
  try {
    outcome = landed(await take(desk, network, step), {})
  } catch (cause) {
    if (isPending(cause)) throw cause
    // The agent is ours until it is handed over: the step may be taken again, at the next ask or start.
    await desk.deps.intents.release(step.idempotencyKey).catch(() => undefined)
    const details = { agentId: minted.agentId, transaction: minted.mintTransaction, final: false }
    throw new Refusal('transfer_failed', 'the agent is minted but could not be handed to its recipient', {
      status: 500,
      details,
      cause,
    })
  }
  return update(desk, minted.id, { status: 'done', transferTransaction: outcome.transaction })
}

/** Waits until it is known how the step ended. */
async function take(desk: Desk, network: ServedNetwork, step: Draft): Promise<Outcome> {
  for (;;) {
    try {
      return await carryOut(step, desk.deps, async () => network.pipeline.submit(step))
    } catch (error) {
      if (desk.stopped || !isPending(error)) throw error
      await delay(desk.deps.surroundings, retryMs)
    }
  }
}

const retryMs = 500

function update(desk: Desk, id: string, change: RegistrationChange): Promise<Registration> {
  return insist(desk, () => desk.deps.store.update(id, change))
}

/** The chain has spoken; a store that is away only delays the row. */
async function insist<T>(desk: Desk, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (desk.stopped) throw pending({}, error)
      desk.deps.onTrouble('a registration waits for the store', error)
      await delay(desk.deps.surroundings, retryMs)
    }
  }
}

function isPending(error: unknown): boolean {
  return error instanceof Unavailable && error.code === 'settlement_pending'
}

type Step = Draft & { readonly idempotencyKey: string }

function stepOf(
  kind: string,
  id: string,
  to: Address,
  step: { readonly data: Hex; readonly expectations: Draft['expectations'] },
): Step {
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

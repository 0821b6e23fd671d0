import { type Address, expectAgentTransfer, identityRegistryAbi } from '@ergon/protocols'
import { pending, Refusal } from '../errors.ts'
import type { ServedNetwork } from '../network/served-network.ts'
import type { Intent, Outcome } from '../store/intents.ts'
import type { Registration } from '../store/registrations.ts'
import { delay } from '../surroundings/surroundings.ts'
import { encodeCall } from './contract-calls.ts'
import { landed } from './landed.ts'
import { stepKey, stepOf } from './mint-step.ts'
import { mintedBy } from './minted.ts'
import type { Desk } from './register.ts'
import { insist, isPending, landedOrWithdrawn, retryMs, take } from './take-step.ts'

/**
 * Hands over what the version before has minted for itself. Its number is certain when its block is deep, and it is
 * handed over no sooner: nobody can take back what went to the wrong wallet.
 */
export async function handOver(
  desk: Desk,
  network: ServedNetwork,
  identity: Address,
  registration: Registration & { readonly recipient: Address },
): Promise<Registration> {
  const { deps } = desk
  const { id, recipient } = registration
  const mint = await deepMint(desk, network, registration)
  const minted =
    mint === undefined
      ? registration
      : mintedBy(await landedOrWithdrawn(desk, registration, () => Promise.resolve(mint)))
  const agentId = BigInt(minted.agentId ?? '0')
  const step = stepOf('register_transfer', id, {
    call: {
      to: identity,
      data: await encodeCall({
        abi: identityRegistryAbi,
        functionName: 'safeTransferFrom',
        args: [deps.account, recipient, agentId],
      }),
    },
    expectations: [expectAgentTransfer(identity, deps.account, recipient, agentId)],
  })
  let outcome: Outcome
  try {
    outcome = landed(await take(desk, network, step), {})
  } catch (cause) {
    if (isPending(cause)) throw cause
    // The agent is ours until it is handed over: the step may be taken again, at the next ask or start.
    await deps.intents.release(step.idempotencyKey).catch(() => undefined)
    const details = { agentId: minted.agentId, transaction: minted.mintTransaction, final: false }
    throw new Refusal('transfer_failed', 'the agent is minted but could not be handed to its recipient', {
      status: 500,
      details,
      cause,
    })
  }
  const { agentId: number, mintTransaction } = minted
  return insist(desk, () =>
    deps.store.update(id, {
      status: 'done',
      ...(number === null ? {} : { agentId: number }),
      ...(mintTransaction === null ? {} : { mintTransaction }),
      transferTransaction: outcome.transaction,
    }),
  )
}

/** How the mint ended, once that cannot be undone; undefined where it is known no more, and so is long deep. */
async function deepMint(desk: Desk, network: ServedNetwork, { id }: Registration): Promise<Outcome | undefined> {
  const { intents, surroundings } = desk.deps
  const isDeep = async ({ id: intent, account, accountNonce }: Intent): Promise<boolean> =>
    (await intents.shallow(network.name, account, accountNonce, 1))[0]?.intent.id !== intent
  for (;;) {
    const intent = await insist(desk, async () => {
      const { bound } = await intents.find('', [], [stepKey('register', id)])
      const mint = bound[0]?.intent ?? undefined
      return mint === undefined || mint.outcome === null || (await isDeep(mint)) ? mint : ('shallow' as const)
    })
    if (intent === undefined) return undefined
    if (intent !== 'shallow' && intent.outcome !== null) return intent.outcome
    if (desk.stopped) throw pending({})
    await delay(surroundings, retryMs)
  }
}

import type { Address } from '@ergon/protocols'
import type { Intent, IntentStore } from '../store/intents.ts'
import type { Chain, Fees } from './chain.ts'
import type { Draft, Queued } from './draft.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { signTransaction } from './transaction.ts'

export type PrepareDeps = {
  readonly network: string
  readonly chain: Chain
  readonly store: IntentStore
  readonly account: Address
  readonly privateKey: Uint8Array
  readonly surroundings: Surroundings
}

export type Prepared = { readonly intents: readonly Intent[]; readonly refused: readonly Queued[]; readonly nextNonce: number }

/** Simulates, signs and writes the intents of a batch. When it throws, nothing of the batch may be sent. */
export async function prepare(deps: PrepareDeps, batch: readonly Queued[], knownNonce: number | undefined): Promise<Prepared> {
  const { chain } = deps
  const [simulations, fees, firstNonce] = await Promise.all([
    chain.simulate(deps.account, batch.map((item) => item.draft.call)),
    chain.fees(),
    knownNonce ?? chain.accountNonce(deps.account, 'pending'),
  ])
  let nextNonce = firstNonce
  const refused: Queued[] = []
  const intents = batch.flatMap((item, index) => {
    const simulated = simulations[index]
    if (simulated?.gas === undefined) {
      if (simulated !== undefined) item.reject(item.draft.refuse(simulated.revert))
      refused.push(item)
      return []
    }
    const intent = sign(deps, item.draft, nextNonce, simulated.gas, fees)
    nextNonce += 1
    item.intentId = intent.id
    return [intent]
  })
  if (intents.length > 0) await deps.store.insert(intents)
  return { intents, refused, nextNonce }
}

function sign(deps: PrepareDeps, draft: Draft, nonce: number, gas: bigint, fees: Fees): Intent {
  const transaction = signTransaction({ chainId: deps.chain.chainId, nonce, ...fees, gas, ...draft.call }, deps.privateKey)
  return {
    id: deps.surroundings.id(), network: deps.network, kind: draft.kind, onceKey: draft.onceKey ?? null, sameness: draft.sameness,
    idempotencyKey: draft.idempotencyKey ?? null, requestHash: draft.requestHash, account: deps.account, accountNonce: nonce,
    transactions: [transaction], call: { ...draft.call, gas: gas.toString() }, expectations: draft.expectations, status: 'sent', outcome: null,
  }
}

import type { Address } from '@ergon/protocols'
import type { Intent } from '../store/intents.ts'
import { seconds, type Surroundings } from '../surroundings/surroundings.ts'
import { orderExpired } from '../settle/deadline.ts'
import type { Chain, Fees } from './chain.ts'
import type { Draft, Queued } from './draft.ts'
import { signTransaction } from './transaction.ts'

export type PrepareDeps = {
  readonly network: string
  readonly chain: Chain
  readonly account: Address
  readonly privateKey: Uint8Array
  readonly surroundings: Surroundings
}

/** Where the nonces of a batch come from. */
export type Nonces = {
  /** Undefined: the chain is asked. */
  readonly known: number | undefined
  /** Below this, all are used, whatever a lagging node says. */
  readonly floor: number
  readonly isHeld: (nonce: number) => boolean
}

export type Prepared = { readonly intents: readonly Intent[]; readonly nextNonce: number; readonly refused: readonly Queued[] }

/** Simulates a batch and signs what may go. Writes nothing, so that nothing of it is sent when it throws. */
export async function prepare(deps: PrepareDeps, batch: readonly Queued[], nonces: Nonces): Promise<Prepared> {
  const { chain } = deps
  const [simulations, fees, first] = await Promise.all([
    chain.simulate(deps.account, batch.map((item) => item.draft.call)),
    chain.fees(),
    nonces.known ?? chain.accountNonce(deps.account, 'pending').then((pending) => Math.max(pending, nonces.floor)),
  ])
  let nextNonce = first
  const now = seconds(deps.surroundings)
  const refused: Queued[] = []
  const intents = batch.flatMap((item, index) => {
    const simulated = simulations[index]
    const { settleBefore } = item.draft
    const refusal = settleBefore !== undefined && now >= settleBefore ? orderExpired()
      : simulated?.gas === undefined && simulated !== undefined ? item.draft.refuse(simulated.revert) : undefined
    if (refusal !== undefined || simulated?.gas === undefined) {
      item.reject(refusal)
      refused.push(item)
      return []
    }
    while (nonces.isHeld(nextNonce)) nextNonce += 1
    const intent = sign(deps, item.draft, nextNonce, simulated.gas, fees)
    nextNonce += 1
    item.intentId = intent.id
    return [intent]
  })
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

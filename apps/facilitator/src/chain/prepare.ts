import type { Address } from '@ergon/protocols'
import { Refusal } from '../errors.ts'
import type { GasAccount } from '../gas/gas-account.ts'
import { mostGasOfIdentities, mostGasOfPayment, tooDearAbove } from '../gas/gas-share.ts'
import { boundFees, outOfGas, type GasTerms } from '../gas/gas-terms.ts'
import type { PaymentGas } from '../gas/payment-gas.ts'
import type { Intent } from '../store/intents.ts'
import { seconds, type Surroundings } from '../surroundings/surroundings.ts'
import { orderExpired } from '../settle/deadline.ts'
import type { Chain, Fees, Simulation } from './chain.ts'
import type { Draft, Queued } from './draft.ts'
import { signTransaction } from './transaction.ts'

export type PrepareDeps = {
  readonly network: string
  readonly chain: Chain
  readonly account: Address
  readonly privateKey: Uint8Array
  readonly surroundings: Surroundings
  /** Undefined: payments may cost any gas. */
  readonly paymentGas?: PaymentGas | undefined
  readonly gasAccount?: Pick<GasAccount, 'balance'>
  readonly gasTerms?: GasTerms | undefined
  readonly onTrouble: (message: string, error: unknown) => void
}

/** Where the nonces of a batch come from. */
export type Nonces = {
  /** Undefined: the chain is asked. */
  readonly known: number | undefined
  /** Below this, all are used, whatever a lagging node says. */
  readonly floor: number
  readonly isHeld: (nonce: number) => boolean
}

export type Prepared = {
  readonly intents: readonly Intent[]
  readonly nextNonce: number
  readonly refused: readonly Queued[]
}

/** Simulates a batch and signs what may go. Writes nothing, so that nothing of it is sent when it throws. */
export async function prepare(deps: PrepareDeps, batch: readonly Queued[], nonces: Nonces): Promise<Prepared> {
  const { chain } = deps
  const [simulations, asked, first, balance] = await Promise.all([
    chain.simulate(
      deps.account,
      batch.map((item) => item.draft.call),
    ),
    chain.fees(),
    nonces.known ?? chain.accountNonce(deps.account, 'pending').then((pending) => Math.max(pending, nonces.floor)),
    deps.gasAccount?.balance(),
  ])
  const fees = deps.gasTerms === undefined ? asked : boundFees(asked, deps.gasTerms)
  let nextNonce = first
  const refusals = await judge(deps, batch, simulations, { fees, balance })
  const refused: Queued[] = []
  const intents = batch.flatMap((item, index) => {
    const simulated = simulations[index]
    const refusal = refusals.get(item)
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

/**
 * What may not be sent, and why; last of all because its gas is not to be had, which is counted for what is sent alone.
 */
async function judge(
  deps: PrepareDeps,
  batch: readonly Queued[],
  simulations: readonly Simulation[],
  purse: { readonly fees: Fees; readonly balance: bigint | undefined },
): Promise<ReadonlyMap<Queued, Refusal>> {
  const now = seconds(deps.surroundings)
  const refusals = new Map<Queued, Refusal>()
  let left = purse.balance
  const pay = ({ gas = 0n }: Simulation): Refusal | undefined => {
    const cost = gas * purse.fees.maxFeePerGas
    if (left === undefined || cost <= left) {
      if (left !== undefined) left -= cost
      return undefined
    }
    deps.onTrouble(
      `${deps.network} is out of gas: ${deps.account} holds ${String(left)} wei of ${String(cost)}`,
      undefined,
    )
    return outOfGas()
  }
  const asks = batch.flatMap((item, index) => {
    const simulated = simulations[index]
    const refusal = simulated === undefined ? undefined : (judgeOne(item, simulated, now) ?? pay(simulated))
    if (refusal !== undefined) refusals.set(item, refusal)
    const { gas, from } = item.draft
    return simulated?.gas === undefined || refusal !== undefined || gas === undefined || item.isCounted
      ? []
      : [{ item, ask: { share: gas, from, spends: simulated.spends } }]
  })
  const answers = (await deps.paymentGas?.take(asks.map(({ ask }) => ask))) ?? []
  asks.forEach(({ item }, index) => {
    const refusal = answers[index]
    if (refusal === undefined) item.isCounted = true
    else refusals.set(item, refusal)
  })
  return refusals
}

function judgeOne({ draft }: Queued, simulated: Simulation, now: number): Refusal | undefined {
  if (draft.settleBefore !== undefined && now >= draft.settleBefore) return orderExpired()
  if (simulated.gas === undefined) return draft.refuse(simulated.revert)
  const most = draft.gas === undefined ? mostGasOfIdentities[draft.kind] : mostGasOfPayment
  return most !== undefined && (simulated.spends ?? 0) > most
    ? new Refusal('ContractCall', `Contract call failed: ${tooDearAbove(most)}`)
    : undefined
}

function sign(deps: PrepareDeps, draft: Draft, nonce: number, gas: bigint, fees: Fees): Intent {
  const transaction = signTransaction(
    { chainId: deps.chain.chainId, nonce, ...fees, gas, ...draft.call },
    deps.privateKey,
  )
  return {
    id: deps.surroundings.id(),
    network: deps.network,
    kind: draft.kind,
    onceKey: draft.onceKey ?? null,
    sameness: draft.sameness,
    idempotencyKey: draft.idempotencyKey ?? null,
    requestHash: draft.requestHash,
    account: deps.account,
    accountNonce: nonce,
    transactions: [transaction],
    call: { ...draft.call, gas: gas.toString() },
    expectations: draft.expectations,
    status: 'sent',
    outcome: null,
  }
}

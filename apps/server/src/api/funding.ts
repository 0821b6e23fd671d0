import type { Operations, OutputOf } from '@ergon/contract'
import {
  isFinal,
  MarketError,
  type Caller,
  type Channel,
  type EscrowView,
  type Payment,
  type SeenTask,
} from '@ergon/core'
import {
  fundingStatementTypedData,
  lowerAddress,
  paymentStateCalldata,
  type Address,
  type FundingStatement,
  type Hex,
  type Network,
} from '@ergon/protocols'
import { createBoundedCache } from '../surroundings/bounded-cache.ts'
import type { ApiDeps } from './deps.ts'
import { createLookBudget } from './look-budget.ts'
import { instant } from './present/instant.ts'
import { usd } from './present/money.ts'
import { presentPaymentInfo } from './present/payment.ts'
import { presentNextAction } from './present/policy.ts'
import { presentTypedData } from './present/typed-data.ts'

type Answer = OutputOf<Operations['payments.funding']>

/** Whoever asks again so soon hears the same: the chain is asked once in this time, by however many. */
const keptMs = 5_000
const maxKept = 2_000
/** Looks at a chain that strangers share, in this process. */
const looks = { perSecond: 10, burst: 60 }
const zero: Address = `0x${'00'.repeat(20)}`
const noHash: Hex = `0x${'00'.repeat(32)}`

/** Says what is known about the money of a task, signs it, and names the call that tells the same (decision 0173). */
export function createFunding(deps: ApiDeps): (caller: Caller, taskId: string) => Promise<Answer> {
  const { market } = deps
  const kept = createBoundedCache<Promise<Look>>(maxKept, keptMs)
  const budget = createLookBudget(looks, () => performance.now())
  const look = (key: string, ask: () => Promise<bigint>): Promise<Look> => {
    const known = kept.get(key)
    if (known !== undefined) return known
    // Not kept: whoever asks later has a place then.
    if (!budget.take()) return Promise.resolve({ atomic: null, at: deps.now() })
    const at = deps.now()
    const asked = ask().then(
      (atomic) => ({ atomic, at }),
      (error: unknown) => {
        if (error instanceof MarketError) return { atomic: null, at }
        throw error
      },
    )
    kept.set(key, asked)
    return asked
  }
  return async (caller, taskId) => {
    const view = await market.payment(caller, taskId)
    const task = await market.readTask(caller, taskId)
    // Without escrow, and not paid directly: by the unit, out of a channel.
    const isMetered = view.status === 'none' && view.mode !== 'fase1'
    const state = isMetered ? stateOfChannel((await market.meter(caller, taskId)).channel) : stateOf(view, task)
    const { payment } = view
    const held = state === 'held' || state === 'moving'
    const seen =
      payment !== null && held ? await look(`held:${payment.hash}`, () => deps.capturableOf(payment)) : undefined
    // On Solana another wallet pays, which is named with the approval.
    const paysItself = deps.networks.some(
      ({ name, chainId }) => name === task.bounty.asset.network && chainId !== undefined,
    )
    const wallet =
      paysItself && !isFinal(task.status) && (state === 'not_funded' || state === 'at_approval')
        ? await look(`wallet:${task.publisherWallet}:${task.bounty.asset.network}:${task.bounty.asset.symbol}`, () =>
            deps.balanceOf(task.publisherWallet, task.bounty.asset),
          )
        : undefined
    return present(deps, { view, task, state, seen, wallet })
  }
}

type Look = { readonly atomic: bigint | null; readonly at: Date }
type State = Answer['state']

function stateOf({ status, releaseTx }: EscrowView, task: SeenTask): State {
  switch (status) {
    case 'none':
      if (releaseTx !== null) return 'paid'
      return isFinal(task.status) ? 'not_funded' : 'at_approval'
    case 'pending_assignment':
      return 'not_funded'
    case 'authorized':
      return 'held'
    case 'released':
      return 'paid'
    case 'refunded':
      return 'returned'
    default:
      return 'moving'
  }
}

/** The deposit of a channel is held for its worker as a lock is. */
function stateOfChannel(channel: Channel | null): State {
  if (channel === null) return 'not_funded'
  if (channel.status === 'open') return 'held'
  const end = channel.end ?? channel.paid
  if (end === null) return 'moving'
  return end.settled > 0n ? 'paid' : 'returned'
}

type Seen = {
  readonly view: EscrowView
  readonly task: SeenTask
  readonly state: State
  readonly seen: Look | undefined
  readonly wallet: Look | undefined
}

async function present(deps: ApiDeps, { view, task, state, seen, wallet }: Seen): Promise<Answer> {
  const { payment } = view
  const { asset } = task.bounty
  const network = deps.networks.find(({ name }) => name === asset.network)
  const asOf = (seen ?? wallet)?.at ?? deps.now()
  const capturable = seen?.atomic ?? null
  return {
    task_id: task.id,
    state,
    network: asset.network,
    chain_id: network?.chainId ?? null,
    token: asset.symbol,
    amount_usd: usd(task.bounty),
    payer: task.publisherWallet,
    receiver: payment?.receiver ?? null,
    contract: payment === null ? null : (network?.escrow?.escrow.toLowerCase() ?? null),
    payment_hash: payment?.hash ?? null,
    payment_info: payment === null ? null : presentPaymentInfo(payment),
    capturable_usd: capturable === null ? null : usd({ atomic: capturable, asset }),
    capturable_atomic: capturable === null ? null : capturable.toString(),
    bound_until: payment === null ? null : instant(new Date(payment.authorizationExpiry * 1_000)),
    publisher_wallet: wallet === undefined ? null : { holds: holds(wallet, task), allowance: 'not_needed' },
    next_action: presentNextAction(task),
    check: payment === null ? null : checkOf(payment, network),
    statement: await signed(deps, { task, state, payment, network, look: seen ?? wallet, asOf }),
    as_of: instant(asOf),
  }
}

function holds({ atomic }: Look, { bounty }: SeenTask): 'enough' | 'too_little' | 'unknown' {
  if (atomic === null) return 'unknown'
  return atomic >= bounty.atomic ? 'enough' : 'too_little'
}

function checkOf({ hash }: Payment, network: Network | undefined): Answer['check'] {
  const to = network?.escrow?.escrow
  if (to === undefined) return null
  return {
    method: 'eth_call',
    to: to.toLowerCase(),
    // The hash of a payment is one that we made.
    data: paymentStateCalldata(hash as Hex),
    reads: 'the second of three words: what is capturable, in atomic units',
  }
}

type Sayable = Pick<Seen, 'task' | 'state'> & {
  readonly payment: Payment | null
  readonly network: Network | undefined
  readonly look: Look | undefined
  readonly asOf: Date
}

/** Nothing is signed that the chain did not say just now. */
async function signed(
  { fundingKeys }: ApiDeps,
  { task, state, payment, network, look, asOf }: Sayable,
): Promise<Answer['statement']> {
  const chainId = network?.chainId
  const token = network?.tokens[task.bounty.asset.symbol]?.address
  if (look === undefined || look.atomic === null || chainId === undefined || token === undefined) return null
  const statement: FundingStatement = {
    taskId: task.id,
    state,
    escrow: lowerAddress(network?.escrow?.escrow ?? zero),
    paymentHash: payment === null ? noHash : (payment.hash as Hex),
    payer: lowerAddress(task.publisherWallet),
    receiver: payment === null ? zero : lowerAddress(payment.receiver),
    token: lowerAddress(token),
    capturable: payment === null ? 0n : look.atomic,
    authorizationExpiry: payment?.authorizationExpiry ?? 0,
    asOf: Math.floor(asOf.getTime() / 1_000),
  }
  const signer = fundingKeys.signer(asOf)
  const typedData = fundingStatementTypedData(statement, chainId)
  return {
    // Built just now, with the typed data of @ergon/protocols.
    typed_data: presentTypedData(typedData),
    signature: await signer.signTypedData(typedData),
    signer: signer.address,
  }
}

import { MarketError, type Rail, type RailAnswer, type RailOrder } from '@ergon/core'
import { expectTransfer, lowerAddress, type Signer, wordAt } from '@ergon/protocols'
import type { Treasuries } from '../chain/treasuries.ts'
import { hashIn, type FacilitatorAnswer, type FacilitatorClient } from '../facilitator/facilitator-client.ts'
import { escrowOf, tokenOf, type ServedNetwork } from '../networks.ts'
import type { AdapterLog } from '../settings.ts'
import type { Time } from '../../surroundings/platform-time.ts'
import { createChainLogs } from './chain-logs.ts'
import { confirm } from './confirm.ts'
import { expectedEvents } from './expected-events.ts'
import { readEscrowState } from './escrow-state.ts'
import { findOrder, isWithdrawn } from './find-order.ts'
import { readMovements } from './movements.ts'
import { proofOf, readHoldings } from './read-back.ts'
import { settleRequest } from './order-request.ts'
import { refusalOf, saysDone } from './refusals.ts'

export type RailDeps = {
  readonly network: ServedNetwork
  readonly facilitator: FacilitatorClient
  readonly treasuries: Treasuries
  readonly orderSigner: Signer
  readonly time: Time
  readonly log: AdapterLog | undefined
}

/** Below the lease that a duty holds on a sweep. */
const sweepWaitMs = 20_000

/**
 * Moves money through an x402 facilitator, and believes the chain alone: escrow steps and direct payments of one EVM
 * network.
 */
export function createFacilitatedRail(deps: RailDeps): Rail {
  const { network } = deps
  return {
    logs: createChainLogs(deps),
    send: (order, waitMs, before) => send(deps, order, { waitMs, before }),
    find: (order) => findOrder(network, order),
    escrowState: (payment) => readEscrowState(network, payment),
    movements: (payment) => readMovements(network, payment),
    chainTime: () => network.chain.deepTime(),
    proof: (order, txHash) => proofOf(network, order, txHash),
    holdings: (asset) => readHoldings(network, tokenOf(network, asset.symbol).address),
    balance: (wallet, asset) => network.chain.balanceOf(tokenOf(network, asset.symbol).address, wallet),
    sweepFees: (asset, key) => sweepFees(deps, tokenOf(network, asset.symbol).address, key),
  }
}

async function send(
  deps: RailDeps,
  order: RailOrder,
  { waitMs, before }: { readonly waitMs: number; readonly before: Date },
): Promise<RailAnswer> {
  const until = deps.time.monotonic() + waitMs
  const { key, body } = await settleRequest(order, deps)
  const network = deps.network.row.name
  const answer = await deps.facilitator.post('/settle', body, { timeoutMs: waitMs, key, before, network })
  switch (answer.kind) {
    case 'unavailable':
      return answer.spentForSec === undefined
        ? { outcome: 'unavailable', sent: answer.sent }
        : settleRefused(deps, order, { ...spentForNow, body: { retry_after: answer.spentForSec } })
    case 'unknown':
      return { outcome: 'unknown', ...hashOf(answer) }
    case 'done':
      return settleDone(deps, order, hashIn(answer.body).txHash, until)
    case 'refused':
      return settleRefused(deps, order, answer)
  }
}

async function settleDone(
  deps: RailDeps,
  order: RailOrder,
  txHash: string | undefined,
  until: number,
): Promise<RailAnswer> {
  if (txHash === undefined) return { outcome: 'unknown' }
  const { answer, logs } = await confirm(
    { network: deps.network, txHash, until, time: deps.time },
    expectedEvents(order, deps.network),
  )
  const feeBps = order.kind === 'capture' ? wordAt(logs[0]?.data, 1) : undefined
  if (answer.outcome === 'settled' && feeBps !== undefined) return { ...answer, feeBps: Number(feeBps) }
  if (answer.outcome !== 'settled')
    deps.log?.warn(
      { network: deps.network.row.name, kind: order.kind, txHash },
      'a settlement that was reported done is not proven by the chain',
    )
  return answer
}

type Verdict = Extract<FacilitatorAnswer, { readonly kind: 'refused' }>

/** No gas for this order now, and no word on the copies of it that may be under way. */
const spentForNow: Verdict = {
  kind: 'refused',
  status: 503,
  code: 'gas_budget_spent',
  reason: '',
  body: {},
  final: false,
  at: null,
}

/**
 * The order may have landed on an earlier attempt, or by another hand: a verdict counts only while the chain
 * has nothing.
 */
async function settleRefused(deps: RailDeps, order: RailOrder, verdict: Verdict): Promise<RailAnswer> {
  const unknown: RailAnswer = { outcome: 'unknown', ...hashIn(verdict.body) }
  try {
    const found = await findOrder(deps.network, order)
    if (found.state === 'landed') {
      const { state: _, ...landed } = found
      return { outcome: 'settled', ...landed }
    }
    const refusal = refusalOf(order, verdict)
    // What its signature was used for, or withdrawn from, it can be used for no more.
    if (found.isDead === true) return { ...refusal, final: true }
    // Our node may be a block behind the one that saw it done.
    if (saysDone(verdict)) return { ...refusal, final: await isWithdrawn(deps.network, order) }
    return refusal
  } catch (error) {
    if (!(error instanceof MarketError)) throw error
    return unknown
  }
}

type Swept = Awaited<ReturnType<Rail['sweepFees']>>

async function sweepFees(deps: RailDeps, token: string, key: string): Promise<Swept> {
  const { network, facilitator, treasuries, log } = deps
  const { operator } = escrowOf(network)
  const answer = await facilitator.post(
    '/fees/distribute',
    { network: network.row.name, token: lowerAddress(token) },
    { timeoutMs: sweepWaitMs, key, network: network.row.name },
  )
  if (answer.kind === 'unavailable') return { outcome: 'unavailable', sent: answer.sent }
  if (answer.kind === 'unknown') return { outcome: 'unknown', ...hashOf(answer) }
  if (answer.kind === 'refused') {
    log?.warn({ network: network.row.name, code: answer.code }, 'the fees could not be moved to the treasury')
    return { outcome: 'refused', code: 'SETTLEMENT_FAILED', final: answer.final, at: answer.at }
  }
  const { txHash } = hashIn(answer.body)
  if (txHash === undefined) return { outcome: 'nothing' }
  try {
    const moved = expectTransfer(token, operator, await treasuries.of(network), undefined)
    const confirmed = await confirm({ network, txHash, until: deps.time.monotonic(), time: deps.time }, [moved])
    const amount = wordAt(confirmed.logs[0]?.data, 0)
    return amount === undefined ? { outcome: 'unknown', txHash } : { ...confirmed.answer, amount }
  } catch (error) {
    if (!(error instanceof MarketError)) throw error
    return { outcome: 'unknown', txHash }
  }
}

function hashOf(answer: { readonly txHash?: string }): { readonly txHash?: string } {
  return answer.txHash === undefined ? {} : { txHash: answer.txHash }
}

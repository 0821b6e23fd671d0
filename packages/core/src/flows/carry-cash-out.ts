import type { ErrorCode } from '@ergon/contract'
import { orderOf, toldOf, unsent, type CashOut } from '../cash-outs/cash-out.ts'
import type { Found, RailAnswer } from '../ports/rail.ts'
import type { CashOutEnd } from '../ports/store-cash-outs.ts'
import { retryAfterMs, sendBefore } from '../settlements/settlement.ts'
import { isDead } from './dead.ts'
import type { MarketDeps } from './deps.ts'
import { onEach } from './each-network.ts'
import { readable } from './readable.ts'
import { leaseOf } from './sweep-fees.ts'

const batch = 20

/** Carries out what was just claimed. @throws why nothing was sent */
export async function payCashOut(deps: MarketDeps, one: CashOut): Promise<CashOut> {
  const ended = await send(deps, one)
  if (ended.status === 'refused') throw unsent(ended)
  return ended
}

/** Finishes cash-outs that a crash, a timeout or a slow chain left; answers how many have ended. */
export function finishCashOuts(deps: MarketDeps, networks?: readonly string[]): Promise<number> {
  return onEach(deps, networks, async (network) => {
    const { now, until } = leaseOf(deps)
    const due = await deps.store.leaseCashOuts(network, now, until, sendBefore(now), batch)
    const ended = await Promise.all(due.map((one) => resume(deps, one)))
    return ended.filter(({ status }) => status === 'confirmed' || status === 'refused').length
  })
}

/** What is on chain is confirmed; what can no more be is given up; anything else is sent again under its key. */
async function resume(deps: MarketDeps, one: CashOut): Promise<CashOut> {
  // Asked before the order is looked for: what lands between the two readings is seen by the second.
  const isOver = await isDead(deps, orderOf(one))
  const found = await look(deps, one)
  if (found === null) return postpone(deps, one)
  if (found.state === 'landed') return sent(deps, one, found.txHash)
  if (found.isDead === true) return refuse(deps, one, 'PAYMENT_AUTH_USED')
  return isOver ? refuse(deps, one, 'AUTHORIZATION_EXPIRED') : send(deps, one)
}

async function send(deps: MarketDeps, one: CashOut): Promise<CashOut> {
  const rail = deps.rails(one.transfer.network)
  const answer = await rail.send(orderOf(one), deps.settings.settleWaitMs, one.sentUntil)
  switch (answer.outcome) {
    case 'settled':
      return sent(deps, one, answer.txHash)
    case 'unknown':
      return postpone(deps, one, answer.txHash === undefined ? {} : { txHash: answer.txHash })
    case 'unavailable':
      // Of the first copy not a byte left, so nothing is under way: the one case that needs no look at the chain.
      return one.attempts > 0 || answer.sent ? postpone(deps, one) : refuse(deps, one, 'SETTLEMENT_FAILED')
    case 'refused':
      return weigh(deps, one, answer)
  }
}

type Verdict = Extract<RailAnswer, { readonly outcome: 'refused' }>

/** A verdict ends it only where the chain has nothing and no copy can be carried out any more (decision 0082). */
async function weigh(deps: MarketDeps, one: CashOut, { final, code }: Verdict): Promise<CashOut> {
  const found = await look(deps, one)
  if (found === null) return postpone(deps, one)
  if (found.state === 'landed') return sent(deps, one, found.txHash)
  return final || found.isDead === true ? refuse(deps, one, code) : postpone(deps, one)
}

/** Null: the chain cannot be read. */
function look(deps: MarketDeps, one: CashOut): Promise<Found | null> {
  return readable(() => deps.rails(one.transfer.network).find(orderOf(one)))
}

const sent = (deps: MarketDeps, one: CashOut, txHash: string): Promise<CashOut> =>
  end(deps, one, { status: 'confirmed', txHash })

const refuse = (deps: MarketDeps, one: CashOut, code: ErrorCode): Promise<CashOut> =>
  end(deps, one, { status: 'refused', code })

function postpone(deps: MarketDeps, one: CashOut, seen: Pick<CashOutEnd, 'txHash'> = {}): Promise<CashOut> {
  const dueAt = new Date(deps.clock.now().getTime() + retryAfterMs(one.attempts))
  return end(deps, one, { status: 'in_doubt', dueAt, ...seen })
}

/** As it is now: another process may have ended it meanwhile. Whoever ended it tells the wallet. */
async function end(deps: MarketDeps, one: CashOut, as: CashOutEnd): Promise<CashOut> {
  const at = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    if (!(await tx.endCashOut(one, as, at))) return
    const told = toldOf(one, as)
    if (told !== null) await tx.tellWallet(one.transfer.from, { id: deps.ids.next(), at, ...told })
  })
  return (await deps.store.cashOut(one.transfer.from, one.transfer.nonce)) ?? one
}

import type { WalletCaller } from '../caller.ts'
import type { Offer } from '../settlement-offers/offer.ts'
import type { Task } from '../tasks/task.ts'
import type { FakeChain } from './fake-chain.ts'
import { keptClaims, type Script } from './scripted-deps.ts'
import { heldTask, offer, payment, placeOn, submission } from './scripted-money.ts'

/** A task whose two sides may settle it, over a script. */

export const publisher: WalletCaller = { kind: 'wallet', wallet: 'payer', agentId: null, via: 'signature' }
export const worker: WalletCaller = { ...publisher, wallet: 'receiver' }
export const stranger: WalletCaller = { ...publisher, wallet: 'stranger' }

export type OfferGiven = {
  readonly task?: Partial<Task>
  readonly current?: Partial<Task> | null
  readonly offer?: Partial<Offer>
  /** Made anew for each case where what it answers changes on the way. */
  readonly script?: Script | (() => Script)
  readonly before?: (chain: FakeChain) => void
}
export function offerStage({
  task = {},
  current = {},
  offer: change = {},
  script = {},
  before = () => undefined,
}: OfferGiven) {
  const own = heldTask({ status: 'disputed', escrowStatus: 'authorized', ...task })
  const open = offer({ status: 'open', answer: null, ...change })
  const one = placeOn(own, {
    task: own,
    lockTask: current === null ? null : { ...own, ...current },
    worker: { id: 'executor', wallet: 'receiver' },
    meterTerms: null,
    submissions: [submission()],
    offer: open,
    lockOffer: open,
    offers: [open],
    lockRulingOf: null,
    ...keptClaims(),
    ledgerBalance: payment.maxAmount,
    ...(typeof script === 'function' ? script() : script),
  })
  one.chain.fund('payer', payment.maxAmount)
  if (own.escrowStatus !== 'none') one.chain.authorize(payment, payment.maxAmount)
  before(one.chain)
  return one
}

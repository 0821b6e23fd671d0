import type { Caller } from '../caller.ts'
import type { DisputeView } from '../disputes/dispute.ts'
import type { ResolveInput } from '../flows/resolve.ts'
import type { Task } from '../tasks/task.ts'
import type { FakeChain } from './fake-chain.ts'
import { scriptedNow, type Script, keptClaims } from './scripted-deps.ts'
import { claimed, completed, rejected, workTold, type Lines } from './scripted-lines.ts'
import { dispute, heldTask, payment, placeOn } from './scripted-money.ts'

/** A disputed task over a script, and what may be decided about it. */

const now = scriptedNow
export const operator: Caller = { kind: 'anonymous' }
export const view = (change: Partial<DisputeView> = {}): DisputeView => ({
  ...dispute({ status: 'open', resolution: null }),
  publisherWallet: 'payer',
  executorId: 'executor',
  workerWallet: 'receiver',
  bounty: heldTask().bounty,
  paymentTx: null,
  refundTx: null,
  captured: null,
  statements: [],
  ...change,
})
export const verdict = (of: ResolveInput['verdict'], splitPct: number | null = null): ResolveInput => ({
  verdict: of,
  splitPct,
  reason: 'By what was asked for.',
})
export const ruling = (change: object = {}) =>
  ({ id: 'ruling', status: 'standing', appealUntil: now, ...change }) as never

export type DisputeCase = {
  readonly input: ResolveInput
  readonly task?: Partial<Task> | null
  readonly script?: Script
  readonly caller?: Caller
  /** What others do on chain before. */
  readonly before?: (chain: FakeChain) => void
}

export function disputeStage({ task = {}, script = {}, before = () => undefined }: Omit<DisputeCase, 'input'>) {
  let reads = 0
  const held = task === null ? null : heldTask({ status: 'disputed', escrowStatus: 'authorized', ...task })
  const one = placeOn(heldTask(), {
    dispute: () => ((reads += 1) === 1 ? view() : view({ status: 'resolved' })),
    lockDispute: view(),
    lockRulingOf: null,
    meterTerms: null,
    lockTask: held,
    ...keptClaims(),
    ledgerBalance: payment.maxAmount,
    ...script,
  })
  one.chain.fund('payer', payment.maxAmount)
  one.chain.authorize(payment, payment.maxAmount)
  before(one.chain)
  const woken: string[] = []
  const wakeup = { settlements: () => woken.push('settlements'), verifications: () => undefined }
  return { ...one, deps: { ...one.deps, wakeup }, woken }
}

/** What is locked before anything is decided, in the words of `linesOf`. */
export const lockedToDecide: Lines = [
  'lockTask task',
  'lockSubmission submission',
  'lockDispute dispute',
  'hasOpenSettlement task',
  'lockRulingOf task',
  'lockOffers task',
]
export const resolving = (of: ResolveInput['verdict'], splitPct: number | null = null): string =>
  `changeDispute dispute {status:resolving,resolution:{verdict:${of},splitPct:${String(splitPct)},` +
  'reason:By what was asked for.},resolvedAt:null}'
export const decided = (of: ResolveInput['verdict'], splitPct: number | null = null): Lines => [
  ...lockedToDecide,
  resolving(of, splitPct),
  'changeTask task {turn:null} now',
]
/** Nothing is held: the task ends with the decision. */
export const endedForPayer: Lines = [
  'lockSubmission submission',
  'lockDisputeOf submission',
  ...rejected(1, '', null),
  'lockDisputeOf submission',
]
/** The worker has it already: the task ends with the decision, and the work is accepted. */
export const endedForWorker = (txHash: string, captured: bigint): Lines => [
  'movements localnet hash',
  ...completed({ at: { txHash, blockNumber: 7n, logIndex: 1 }, captured }),
  ...workTold(1, null, txHash),
  'lockDisputeOf submission',
]

/** What the worker is awarded is claimed; `after` is the log that is read on from. */
export const awardClaimed = (id: number, atomic: bigint, after = ''): string =>
  claimed(id, {
    purpose: 'award',
    mustLand: false,
    order:
      `payment:hash,issuedAt:1795262400${after},kind:capture,key:award:hash:#${String(id)},` +
      `amount:${String(atomic)}n USDC,order:null`,
  })
export const remainderClaimed = (id: number, atomic: bigint, after = ''): string =>
  claimed(id, {
    purpose: 'remainder',
    order:
      `payment:hash,issuedAt:1795262400${after},kind:void,key:remainder:hash:#${String(id)},` +
      `amount:${String(atomic)}n USDC`,
  })
export const returnClaimed = (id: number, atomic: bigint): string =>
  claimed(id, {
    purpose: 'return',
    mustLand: false,
    order:
      `kind:void,key:return:localnet:hash:#${String(id)},payment:hash,` +
      `amount:${String(atomic)}n USDC,issuedAt:1795262400`,
  })

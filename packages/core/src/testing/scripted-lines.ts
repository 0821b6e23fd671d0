/**
 * What comes of a payment, in the words of `linesOf`: the sequences that many rows expect. `id` is the number of the
 * first id they take. Every amount of the chain is written out, none is reckoned, or a row would repeat the arithmetic
 * it checks; dollars are the same amount with a point.
 */

export type Lines = readonly string[]
export type Posting = readonly [account: string, atomic: bigint]
/** What is paid, and what of it reaches whom. */
export type Paid = { readonly whole: bigint; readonly worker: bigint; readonly fee: bigint }
export type Place = { readonly txHash: string; readonly blockNumber: bigint; readonly logIndex: number }

export const ten: Paid = { whole: 10_000_000n, worker: 8_700_000n, fee: 1_300_000n }
export const six: Paid = { whole: 6_000_000n, worker: 5_220_000n, fee: 780_000n }
export const four: Paid = { whole: 4_000_000n, worker: 3_480_000n, fee: 520_000n }

/** Where an order of ours lands. */
export const landing: Place = { txHash: '0xlanded', blockNumber: 9n, logIndex: 4 }
/** Where another hand captured. */
export const capturedAt: Place = { txHash: '0xcaptured', blockNumber: 7n, logIndex: 1 }
/** What the books say of a log that no order of ours brought about. */
export const byAnother = ',note:by another hand on chain'
export const asAgreed = 'Publisher and worker settled it between themselves.'

export const nth = (id: number): string => `#${id.toString(16)}`
const usd = (atomic: bigint): string => String(Number(atomic) / 1_000_000)
const atoms = (atomic: bigint): string => `${String(atomic)}n`
export const onLocalnet = (txHash: string): string => `payment:{chain:localnet,token:USDC,tx_hash:${txHash}}`

export function posted(id: number, postings: readonly Posting[], taskId: string | null = 'task', asset = 'USDC') {
  const each = postings.map(([account, atomic]) => `{account:${account},atomic:${atoms(atomic)}}`)
  return `post {id:${nth(id)},taskId:${String(taskId)},asset:${asset},at:now,postings:[${each.join(',')}]}`
}

export const escrowEvent = (id: number, atomic: bigint, txHash: string, what: string): string =>
  `addPaymentEvent {id:${nth(id)},taskId:task,status:success,amount:${atoms(atomic)} USDC,asset:USDC,` +
  `txHash:${txHash},at:now,${what}}`
const directEvent = (id: number, type: string, atomic: bigint, to: string, txHash: string): string =>
  `addPaymentEvent {id:${nth(id)},taskId:task,type:${type},status:success,amount:${atoms(atomic)} USDC,asset:USDC,` +
  `from:payer,to:${to},txHash:${txHash},at:now}`
/** Two orders of the same words: of an event by itself, and of one of several. */
export const event = (id: number, type: string, data: string): string =>
  `addEvent {id:${nth(id)},type:${type},taskId:task,at:now,data:{task_id:task,${data}}}`
export const eventOf = (id: number, type: string, data: string): string =>
  `addEvent {id:${nth(id)},taskId:task,at:now,type:${type},data:{task_id:task,${data}}}`

export const confirmedAt = ({ txHash, blockNumber } = landing): string =>
  `endSettlement settlement {status:confirmed,txHash:${txHash},blockNumber:${atoms(blockNumber)}} now`

type Logged = {
  readonly at?: Place
  readonly hash?: string
  readonly feeBps?: number
  readonly settlementId?: string | null
}
/** A log is written down, for the settlement that brought it about. */
export function logged(kind: string, atomic: bigint, { at = landing, hash = 'hash', ...of }: Logged = {}): string {
  const { txHash, blockNumber, logIndex } = at
  const feeBps = of.feeBps ?? (kind === 'captured' ? 1_300 : null)
  const place = `txHash:${txHash},blockNumber:${atoms(blockNumber)},logIndex:${String(logIndex)}`
  const what = `hash:${hash},kind:${kind},atomic:${atoms(atomic)},feeBps:${String(feeBps)}`
  const settlementId = of.settlementId === undefined ? 'settlement' : of.settlementId
  return `addMovement {network:localnet,${place},${what}} {taskId:task,settlementId:${String(settlementId)}}`
}

/** The bounty of 10 USDC enters the escrow. */
export const lockBooked = (id: number, txHash = landing.txHash, note = ''): Lines => [
  posted(id, [
    ['wallet:payer', -10_000_000n],
    ['escrow:hash', 10_000_000n],
  ]),
  escrowEvent(id + 1, 10_000_000n, txHash, `type:settle,from:payer,to:null${note}`),
]

/** What is held is paid: 87 of a hundred to the worker, 13 to the operator. */
export const payoutBooked = (id: number, { whole, worker, fee }: Paid, txHash = landing.txHash, note = ''): Lines => [
  posted(id, [
    ['escrow:hash', -whole],
    ['wallet:receiver', worker],
    ['operator', fee],
  ]),
  escrowEvent(id + 1, whole, txHash, `type:settle,from:payer,to:null${note}`),
  escrowEvent(id + 2, worker, txHash, `type:disburse_worker,from:payer,to:receiver${note}`),
]

/** The same by another hand: it is told as well. */
export const payoutByAnother = (id: number, paid: Paid, txHash: string): Lines => [
  ...payoutBooked(id, paid, txHash, byAnother),
  eventOf(id + 3, 'payment.released', released(paid, txHash)),
]

/** What is held goes back. */
export const refundBooked = (id: number, atomic: bigint, txHash = landing.txHash): Lines => [
  posted(id, [
    ['escrow:hash', -atomic],
    ['wallet:payer', atomic],
  ]),
  escrowEvent(id + 1, atomic, txHash, 'type:refund,from:null,to:payer'),
  refundTold(id + 2, atomic, txHash),
]

export const refundTold = (id: number, atomic: bigint, txHash = landing.txHash): string =>
  event(id, 'payment.refunded', `amount_usd:${usd(atomic)},${onLocalnet(txHash)}`)

/** The worker's part of 10 USDC goes from the payer's wallet to it. */
export const paidDirectly = (id: number, at = landing): Lines => [
  'movements localnet nonce',
  logged('charged', 8_700_000n, { at, hash: 'nonce' }),
  directEvent(id, 'settle', 8_700_000n, 'receiver', at.txHash),
  directEvent(id + 1, 'disburse_worker', 8_700_000n, 'receiver', at.txHash),
  posted(id + 2, [
    ['wallet:payer', -8_700_000n],
    ['wallet:receiver', 8_700_000n],
  ]),
]

/** And the fee to the treasury. */
export const feePaidDirectly = (id: number, hash = 'nonce', at = landing): Lines => [
  `movements localnet ${hash}`,
  logged('charged', 1_300_000n, { at, hash }),
  directEvent(id, 'disburse_fee', 1_300_000n, 'treasury', at.txHash),
  posted(id + 1, [
    ['wallet:payer', -1_300_000n],
    ['treasury', 1_300_000n],
  ]),
]

const released = ({ worker, fee }: Paid, txHash: string): string =>
  `worker_amount:${usd(worker)},platform_fee:${usd(fee)},${onLocalnet(txHash)}`
export const payTold = (id: number, paid: Paid, txHash = landing.txHash): string =>
  event(id, 'payment.released', released(paid, txHash))

type Completed = { readonly escrowStatus?: string; readonly at?: Place; readonly captured?: bigint }
const paidBy = ({ escrowStatus = 'released', at = landing, captured }: Completed): string =>
  `{escrowStatus:${escrowStatus},paymentTx:${at.txHash},paymentBlock:${atoms(at.blockNumber)}` +
  `${captured === undefined ? '' : `,captured:${atoms(captured)}`}}`
/** What a task keeps of what paid it. */
export const paymentKept = (of: Completed = {}): string => `changeTask task ${paidBy(of)} now`
export const endedAs = (status: string, of: Completed = {}): string => `moveTask task ${status} now ${paidBy(of)}`
export const completed = (of: Completed = {}): Lines => [
  endedAs('completed', of),
  `decideSubmission submission {status:approved,at:now,paymentTx:${(of.at ?? landing).txHash}}`,
  'countCompleted executor',
]

export const counted = (decision: string): Lines => ['lockSubmission submission', `countDecision payer ${decision}`]

/** The publisher and the worker read it; of a pay they were told of before, nothing. */
export const workTold = (id: number, paid: Paid | null, txHash = landing.txHash): Lines => [
  eventOf(id, 'submission.approved', `submission_id:submission,payment_tx:${txHash}`),
  ...(paid === null ? [] : [eventOf(id + 1, 'payment.released', released(paid, txHash))]),
  eventOf(
    paid === null ? id + 1 : id + 2,
    'task.completed',
    `executor_id:executor,bounty_usd:10,${onLocalnet(txHash)}`,
  ),
]

/** A claim is given up, and why. */
export const refused = (code: string): string => `endSettlement settlement {status:refused,code:${code}} now`
/** Its payment did not happen: the audit log has it, and it is told. */
export const paymentFailed = (id: number, type: string, atomic: bigint, code: string): Lines => [
  paymentNoted(id, type, atomic, code),
  failureTold(id + 1, code),
]
export const paymentNoted = (id: number, type: string, atomic: bigint, code: string): string =>
  `addPaymentEvent {id:${nth(id)},taskId:task,type:${type},status:failed,amount:${atoms(atomic)} USDC,asset:USDC,` +
  `from:null,to:null,txHash:null,note:${code},at:now}`
export const failureTold = (id: number, code: string): string => event(id, 'payment.failed', `code:${code}`)
export const cancelTold = (id: number, refundTx: string | null): string =>
  event(id, 'task.cancelled', `refund_tx:${String(refundTx)}`)

/** The work is not accepted, and its task ends. */
export const rejected = (id: number, reason: string, refundTx: string | null = landing.txHash): Lines => [
  `decideSubmission submission {status:rejected,at:now,reason:${reason}}`,
  `moveTask task cancelled now {${refundTx === null ? '' : `escrowStatus:refunded,refundTx:${refundTx}`}}`,
  cancelTold(id, refundTx),
]

export const offerSettled: Lines = [
  'endOffer offer settled null now',
  'lockOffers task',
  'changeTask task {turn:null} now',
]
export const disputeClosed = (reason = 'Half of it.'): string =>
  `changeDispute dispute {status:resolved,resolution:{verdict:split,splitPct:40,reason:${reason}},resolvedAt:now}`
export const disputeResolved = (id: number, reason?: string): Lines => [
  disputeClosed(reason),
  event(id, 'dispute.resolved', 'submission_id:submission,dispute_id:dispute,verdict:split'),
]
export const disputeReopened: Lines = [
  'lockDisputeOf submission',
  'changeDispute dispute {status:open,resolution:null,resolvedAt:null}',
]
export const offerReopened: Lines = ['lockOffer offer', 'endOffer offer open null null']

type Claim = {
  readonly purpose: string
  readonly subject?: string
  readonly order: string
  readonly mustLand?: boolean
  readonly submissionId?: string | null
}
/** A settlement that is claimed, before it is sent. */
export function claimed(id: number, { purpose, order, subject = 'hash', mustLand = true, ...of }: Claim): string {
  const submissionId = of.submissionId === undefined ? 'submission' : of.submissionId
  const about = `taskId:task,purpose:${purpose},subject:${subject},order:{${order}}`
  return (
    `claimSettlement {submissionId:${String(submissionId)},executorId:executor,mustLand:${String(mustLand)},` +
    `rating:null,offerId:null,${about},id:${nth(id)},status:claimed,txHash:null,attempts:0,` +
    'sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z'
  )
}

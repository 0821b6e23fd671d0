import type { SettlementEnd, Store, TaskChanges, Tx } from '@ergon/core'
import { aSubmission } from '@ergon/core/testing'
import {
  asset,
  created,
  disputeId,
  distribution,
  event,
  finding,
  following,
  later,
  meterTerms,
  movement,
  offerId,
  payment,
  publisherWallet,
  purposes,
  rating,
  ratingId,
  settlement,
  settlementId,
  submissionId,
  task,
  taskId,
  uuid,
  wallets,
  workerId,
  workerWallet,
} from './fixture.ts'
import { agreementTxOperations } from './agreement-operations.ts'
import { channelStoreOperations, channelTxOperations } from './channel-operations.ts'
import { sortedByText } from './driver.ts'

/** What an operation is made of: which task, worker and kind, and a number that no other operation of the run has. */
export type Given = {
  readonly t: number
  readonly w: number
  readonly k: number
  readonly n: number
  readonly b: boolean
}
export type Operations<T> = Readonly<Record<string, (of: T, given: Given) => Promise<unknown>>>

const pick = <const T>(from: readonly [T, ...T[]], k: number): T => from[k % from.length] ?? from[0]
const timerKinds = [
  'review_half',
  'review_late',
  'review_end',
  'outcome',
  'start_by',
  'offer_end',
  'ruling_end',
] as const
const directions = ['publisher_rates_executor', 'executor_rates_publisher'] as const
type RatingEnd = Parameters<Tx['endRating']>[1]
const at = ({ n }: Given): Date => later(n)
/** A row of the fixture, or one that an operation may have added. */
const someSettlement = ({ k, b, n }: Given): string => settlementId(b ? k % 4 : n - 1)
const ordered = async (rows: Promise<readonly unknown[]>): Promise<unknown> =>
  sortedByText((await rows).map((row) => row))

/** What a transaction asks, each with rows that others ask for as well. */
export const txOperations: Operations<Tx> = {
  lockTask: (tx, { t }) => tx.lockTask(taskId(t)),
  moveTask: (tx, given) =>
    tx.moveTask(
      taskId(given.t),
      pick(['published', 'assigning', 'accepted', 'verifying', 'completed'], given.k),
      at(given),
      given.b ? { executorId: workerId(given.w), escrowStatus: 'authorized' } : {},
    ),
  changeTask: (tx, given) =>
    tx.changeTask(
      taskId(given.t),
      pick<TaskChanges>(
        [
          { escrowStatus: 'releasing' },
          { paymentTx: '0xpaid', paymentBlock: 5n, escrowStatus: 'released' },
          { captured: 4_000_000n },
          { turn: { kind: 'offer', of: 'worker', untilMs: 1 } },
          { feeTx: '0xfee' },
        ],
        given.k,
      ),
      at(given),
    ),
  ...channelTxOperations,
  hasApplications: (tx, { t }) => tx.hasApplications(taskId(t)),
  countPending: (tx, { t }) => tx.countPending(taskId(t)),
  keepStandingOrder: (tx, { t, b, n }) => tx.keepStandingOrder(taskId(t), b ? { payment: '0x1', nonce: n } : null),
  ...agreementTxOperations,
  putTimer: (tx, { t, k, n }) => tx.putTimer(taskId(t), pick(timerKinds, k), later(n)),
  countDecision: (tx, { w, k, n }) =>
    tx.countDecision(
      `0x${String(w)}`,
      pick(['approved', 'rejected', 'changes', 'silent'] as const, k),
      k % 4 === 3 ? null : n % 12,
    ),
  elapseTask: (tx, { t, n }) => tx.elapseTask(taskId(t), n * 60_000, later(n)),
  dropTimer: (tx, { t, k, n }) => tx.dropTimer({ taskId: taskId(t), kind: pick(timerKinds, k), attempts: n % 3 }),
  insertApplication: (tx, { t, w, n }) =>
    tx.insertApplication({
      id: uuid(8, n),
      taskId: taskId(t),
      executorId: workerId(w),
      status: 'pending',
      message: null,
      createdAt: later(n),
    }),
  application: (tx, { t, w }) => tx.application(taskId(t), workerId(w)),
  acceptApplication: (tx, { t, w }) => tx.acceptApplication(taskId(t), workerId(w)),
  pendingApplications: (tx, { t, k }) => tx.pendingApplications(taskId(t), k + 1),
  withdrawApplication: (tx, { t, w }) => tx.withdrawApplication(taskId(t), workerId(w)),
  insertSubmission: (tx, { t, w, n, b }) =>
    tx.insertSubmission(
      aSubmission({
        id: b ? submissionId(t) : uuid(3, n + 10),
        taskId: taskId(t),
        executorId: workerId(w),
        submittedAt: later(n),
      }),
    ),
  lockSubmission: (tx, { t }) => tx.lockSubmission(submissionId(t)),
  decideSubmission: (tx, given) =>
    tx.decideSubmission(submissionId(given.t), {
      status: given.b ? 'approved' : 'rejected',
      at: at(given),
      ...(given.b ? { paymentTx: '0xpaid' } : { reason: 'no' }),
    }),
  pendingSubmission: (tx, { t }) => tx.pendingSubmission(taskId(t)),
  endVerification: (tx, given) =>
    tx.endVerification(submissionId(given.t), { checks: [], score: 90, coverage: 1, at: at(given) }),
  lockDispute: (tx) => tx.lockDispute(disputeId),
  lockDisputeOf: (tx, { t }) => tx.lockDisputeOf(submissionId(t)),
  changeDispute: (tx, given) =>
    tx.changeDispute(
      disputeId,
      given.b
        ? { status: 'resolving', resolution: { verdict: 'split', splitPct: 30, reason: 'half' }, resolvedAt: null }
        : { status: 'open', resolution: null, resolvedAt: null },
    ),
  insertStatement: (tx, { n, b }) =>
    tx.insertStatement({
      id: uuid(12, n),
      disputeId: b ? disputeId : uuid(4, 9),
      side: 'worker',
      statement: 'mine',
      links: [],
      createdAt: later(n),
    }),
  expireDisputes: (tx, given) => tx.expireDisputes(taskId(given.t), at(given)),
  claimSettlement: (tx, { t, k, n }) => tx.claimSettlement(settlement(n, pick(purposes, k), t), later(n + 30)),
  isGoingBack: (tx, { t }) => tx.isGoingBack(payment(t).hash),
  hasOpenSettlement: (tx, { t }) => tx.hasOpenSettlement(taskId(t)),
  lockSettlement: (tx, given) => tx.lockSettlement(someSettlement(given)),
  endSettlement: (tx, given) =>
    tx.endSettlement(
      someSettlement(given),
      pick<SettlementEnd>(
        [
          { status: 'confirmed', txHash: '0xtx', blockNumber: 9n },
          { status: 'refused', code: 'LOCK_REVERTED', watchUntil: later(given.n + 99) },
          { status: 'in_doubt', dueAt: later(given.n + 60), sentUntil: later(given.n + 70) },
          { status: 'in_doubt', code: 'SETTLEMENT_FAILED', refusal: 'said' },
          { status: 'refused' },
        ],
        given.n,
      ),
      at(given),
    ),
  confirmRefused: (tx, given) =>
    tx.confirmRefused(someSettlement(given), { txHash: '0xlate', blockNumber: 7n }, at(given)),
  reviveFeeOf: (tx, given) => tx.reviveFeeOf(submissionId(0), at(given)),
  addMovement: (tx, { t, k, n, b, w }) =>
    tx.addMovement(movement(k, n, w === 0 ? 'captured' : 'charged'), {
      taskId: taskId(t),
      settlementId: b ? settlementId(k % 2) : null,
    }),
  movements: (tx, { k }) => tx.movements('localnet', payment(k % 2).hash),
  moveMovement: (tx, { k, n, b }) =>
    tx.moveMovement(movement(k, n), { blockNumber: BigInt(n), logIndex: b ? k % 3 : (k + 1) % 3 }),
  missMovement: (tx, given) => tx.missMovement(movement(given.k, 0), at(given)),
  dropMovement: (tx, { k }) => tx.dropMovement(movement(k, 0)),
  addDistribution: (tx, { k }) => tx.addDistribution(distribution(k)),
  isDistributed: (tx, { k }) => tx.isDistributed(distribution(k)),
  dropDistribution: (tx, { k }) => tx.dropDistribution(distribution(k)),
  refuseFeeOf: (tx, given) => tx.refuseFeeOf(submissionId(0), at(given)),
  refuseRemainderOf: (tx, given) => tx.refuseRemainderOf(submissionId(0), at(given)),
  putEscrow: (tx, { t, k }) => tx.putEscrow(taskId(t), payment(k % 2, k > 3 ? 1 : 0)),
  escrowPayment: (tx, { t }) => tx.escrowPayment(taskId(t)),
  clearEscrow: (tx, { t }) => tx.clearEscrow(taskId(t)),
  settleFee: (tx, given) => tx.settleFee(taskId(given.t), given.b ? '0xfee' : null, at(given)),
  ledgerBalance: (tx) => tx.ledgerBalance(asset, `escrow:${payment(0).hash}`),
  addPaymentEvent: (tx, given) =>
    tx.addPaymentEvent({
      id: uuid(13, given.n),
      taskId: taskId(given.t),
      type: 'settle',
      status: 'success',
      amount: given.b ? { atomic: 5n, asset } : null,
      asset,
      from: publisherWallet,
      to: null,
      txHash: null,
      at: at(given),
    }),
  post: (tx, given) =>
    tx.post({
      id: uuid(11, given.n),
      taskId: taskId(given.t),
      asset,
      at: at(given),
      postings: [
        { account: `escrow:${payment(0).hash}`, atomic: -3n },
        { account: given.b ? 'operator' : 'wallet:a', atomic: 3n },
      ],
    }),
  addEvent: (tx, { t, w, n, b }) => tx.addEvent(event(n, t, b ? w : null)),
  addEvents: (tx, { t, w, n, b }) => tx.addEvents([event(n, t, b ? w : null)]),
  countCompleted: (tx, { w }) => tx.countCompleted(workerId(w)),
  agentOf: (tx, { w }) => tx.agentOf(workerId(w), 'localnet'),
  putRating: (tx, { t, k, n, b }) =>
    tx.putRating(rating(n, t, pick(directions, k), b ? 'due' : 'prepared'), b ? later(n) : null, later(n)),
  lockRating: (tx, { t, k }) => tx.lockRating(taskId(t), pick(directions, k)),
  endRating: (tx, given) =>
    tx.endRating(
      ratingId(0),
      pick<RatingEnd>(
        [
          { status: 'sending', landsUntil: later(given.n + 90 - (given.n % 2) * 100) },
          { status: 'prepared' },
          { status: 'confirmed', txHash: '0xr', feedbackIndex: 3 },
          { status: 'refused' },
        ],
        given.k,
      ),
      at(given),
    ),
  endSweep: (tx, given) =>
    tx.endSweep(
      uuid(10, 0),
      given.b
        ? { status: 'confirmed', txHash: '0xs', blockNumber: 8n, amount: 5n }
        : { status: 'open', dueAt: later(given.n) },
      at(given),
    ),
  putBan: (tx, given) =>
    tx.putBan({ wallet: pick(wallets, given.k), reason: `for ${String(given.n)}`, actor: 'me', bannedAt: at(given) }),
  removeBan: (tx, { k }) => tx.removeBan(pick(wallets, k)).then((ban) => ban?.reason ?? null),
  lockRunChanges: (tx) => tx.lockRunChanges(),
  putRunChange: (tx, given) => tx.putRunChange(pick(['a', 'b'], given.k), given.b ? given.n : null, at(given)),
  publish: (tx, { n, k, b }) =>
    tx
      .publish(
        { ...task(n + 10), ...(k % 2 === 0 ? {} : { meter: meterTerms }), ...(b ? { evidenceRequired: [] } : {}) },
        b ? null : created(n, n + 10),
      )
      .then(({ id }) => id),
}

/** What is asked without a transaction. */
export const storeOperations: Operations<Store> = {
  publish: (store, { n, k }) =>
    store
      .publish({ ...task(n + 10), ...(k % 2 === 0 ? {} : { meter: meterTerms }) }, created(n, n + 10), {
        key: `key ${String(k % 3)}`,
        bodyHash: k > 3 ? 'other' : 'body',
      })
      .then(({ task: { id }, replayed }) => ({ id, replayed })),
  offer: (store, { n, k, b }) => store.offer(offerId(b ? k % 4 : n - 1)),
  offers: (store, { t }) => store.offers(taskId(t)),
  rulingOf: (store) => store.rulingOf(disputeId),
  meterTerms: (store, { t, n, b }) => store.meterTerms(b ? taskId(t) : taskId(n + 9)),
  channelOf: (store, { t }) => store.channelOf(taskId(t)),
  ...channelStoreOperations,
  task: (store, { t }) => store.task(taskId(t)),
  taskView: (store, { t }) => store.taskView(taskId(t)),
  tasks: (store, { b, k }) =>
    store
      .tasks(
        {
          status: null,
          category: null,
          network: null,
          publisher: b ? publisherWallet : null,
          anyStatus: b,
          takenBy: k > 5 ? 'robot' : null,
        },
        { limit: 1, offset: 0, cursor: k > 3 ? taskId(1) : null },
      )
      .then(({ rows, hasMore }) => ({ rows, hasMore })),
  isParticipant: (store, { t, w }) => store.isParticipant(taskId(t), workerWallet(w)),
  taskMembers: (store, { t }) => ordered(store.taskMembers(taskId(t), wallets)),
  applications: (store, { t }) => store.applications(taskId(t), { limit: 2, offset: 0, cursor: null }),
  application: (store, { t, w }) => store.application(taskId(t), workerId(w)),
  submission: (store, { t }) => store.submission(submissionId(t)),
  submissions: (store, { t }) => store.submissions(taskId(t)),
  submissionsSlice: (store, { t, w, k }) =>
    store.submissionsSlice(taskId(t), k > 3 ? workerId(w) : null, { limit: k + 1, offset: k > 5 ? 1 : 0 }),
  stampEvidenceAccess: (store, given) => store.stampEvidenceAccess([submissionId(0), submissionId(1)], at(given)),
  escrowPayment: (store, { t }) => store.escrowPayment(taskId(t)),
  paymentEvents: (store, { t, k }) => store.paymentEvents(taskId(t), { limit: k + 1, offset: k > 3 ? 1 : 0 }),
  openSettlements: (store, { t }) => store.openSettlement(taskId(t)).then((one) => one !== null),
  settlement: (store, { t, k }) => store.settlement(taskId(t), pick(purposes, k)),
  disputeOf: (store, { t }) => store.disputeOf(submissionId(t)),
  dispute: (store) => store.dispute(disputeId),
  disputes: (store) =>
    store.disputes({ wallet: null, status: 'open', taskId: null }, { limit: 5, offset: 0, cursor: null }),
  worker: (store, { w }) => store.worker(workerId(w)),
  workerByWallet: (store, { w }) => store.workerByWallet(workerWallet(w)),
  putWorker: (store, { w, n, b }) =>
    store.putWorker({
      id: uuid(2, n + 10),
      wallet: workerWallet(w),
      ...(b ? { displayName: `n${String(n)}` } : { party: 'robot' }),
      at: later(n),
    }),
  identity: (store, { w }) => store.identity('localnet', workerWallet(w)),
  putIdentity: (store, { w, n }) =>
    store.putIdentity('localnet', workerWallet(w), { agentId: n, txHash: null }, later(n)),
  putScore: (store, { w, n, b }) =>
    store.putScore({
      network: 'localnet',
      agentId: 7,
      role: b ? 'worker' : 'publisher',
      wallet: b ? workerWallet(w) : publisherWallet,
      ...{ score: n % 100, count: 1 },
      at: later(n),
    }),
  rating: (store, { t, k }) => store.rating(taskId(t), pick(directions, k)),
  ratings: (store, { t }) => store.ratings(taskId(t)),
  countedRatings: (store, { k }) => store.countedRatings('localnet', 7, k > 3 ? null : pick(directions, k)),
  leaseSettlements: (store, { n, k }) =>
    ordered(store.leaseSettlements('localnet', later(n), later(n + 30), later(n + 40), 1 + k)),
  renewSettlements: (store, { k, n }) =>
    store.renewSettlements(
      [
        { id: settlementId(k % 4), attempts: 0 },
        { id: settlementId((k + 1) % 4), attempts: 1 },
      ],
      later(n + 50),
    ),
  leaseWatched: (store, { n }) => ordered(store.leaseWatched('localnet', later(n), later(n + 30), 3)),
  leaseFollowing: (store, { n }) => store.leaseFollowing('localnet', later(n), later(n + 3)),
  putFollowing: (store, { n, k }) => store.putFollowing(following(n, k), later(n + 2)),
  followings: (store) => store.followings(),
  bookedMovements: (store, { k }) => ordered(store.bookedMovements('localnet', 5n, BigInt(4 + k))),
  bookedDistributions: (store, { k }) => ordered(store.bookedDistributions('localnet', 5n, BigInt(4 + k))),
  bookedTransfers: (store, { k }) => ordered(store.bookedTransfers('localnet', BigInt(4 + k), 2)),
  knownPayments: (store) => store.knownPayments('localnet', [payment(0).hash, payment(1).hash]),
  watchedTransfers: (store) => store.watchedTransfers('localnet', 4),
  payersOwing: (store, { k }) => store.payersOwing('localnet', k),
  feeOwedBy: (store) => store.feeOwedBy(publisherWallet),
  feeOwedFor: (store, { t }) => store.feeOwedFor(taskId(t)),
  leaseSentRatings: (store, { n }) => ordered(store.leaseSentRatings('localnet', later(n), later(n + 30), later(n), 2)),
  stuckRatings: (store, { n }) => store.stuckRatings(later(n), 3),
  leaseRatings: (store, { n }) => ordered(store.leaseRatings('localnet', later(n), later(n + 30), 2)),
  leaseRatingAudits: (store, { n }) => ordered(store.leaseRatingAudits('localnet', later(n), later(n + 30), 2)),
  leaseVerifications: (store, { n }) => ordered(store.leaseVerifications(later(n), later(n + 30), 2)),
  publisherDecisions: (store, { w }) => store.publisherDecisions(`0x${String(w)}`),
  standingOrder: (store, { t }) => store.standingOrder(taskId(t)),
  leaseTimers: (store, { n, k }) => ordered(store.leaseTimers('localnet', later(n), later(n + 30), 1 + k)),
  dueTasks: (store, { b }) => store.dueTasks('localnet', later(b ? 5_001 : 9_000), 2),
  owedFees: (store) => ordered(store.owedFees('localnet', 10)),
  sweepAfter: (store, { k }) => store.sweepAfter(asset, { blockNumber: BigInt(3 + (k % 4)), logIndex: (k % 3) - 1 }),
  leaseSweep: (store, { n, k }) =>
    store.leaseSweep({ id: uuid(10, n), asset, key: `sweep ${String(k)}`, attempts: 0 }, later(n), later(n + 30)),
  paymentsHealth: (store, given) => store.paymentsHealth(at(given)),
  leaseAudit: (store, { n }) => store.leaseAudit(later(n), later(n + 3), later(n + 6)),
  leaseEscrowAudits: (store, { n }) => ordered(store.leaseEscrowAudits('localnet', later(n), later(n + 30), 5)),
  escrowBooks: (store, { t }) =>
    store.escrowBooks(taskId(t)).then((books) => (books === null ? null : { ...books, open: books.open !== null })),
  auditEscrowAt: (store, { t, n }) => store.auditEscrowAt([taskId(t)], later(n)),
  leaseProofs: (store, { n }) => ordered(store.leaseProofs('localnet', later(n), later(n + 30), later(n), 5)),
  proveAt: (store, given) => store.proveAt([someSettlement(given)], at(given)),
  stuckSettlements: (store) => store.stuckSettlements(later(1_000), 10),
  unnamedPayments: (store) => ordered(store.unnamedPayments(later(1_000), 10)),
  heldSums: (store) => ordered(store.heldSums(later(20))),
  reportFindings: (store, { k, n, b }) =>
    store.reportFindings(
      [pick(['a', 'b'], k)],
      b ? [finding(pick(['a', 'b', `escrow:${taskId(0)}`], k), k % 3, n)] : [],
      later(n),
    ),
  moneyFindings: (store) => store.moneyFindings(),
  unresolvedFindings: (store) => store.unresolvedFindings(5),
  isBanned: (store, { k }) => store.isBanned(pick(wallets, k)),
  bannedWallets: (store) => ordered(store.bannedWallets()),
  adminVersion: (store) => store.adminVersion(),
  runChanges: (store) => store.runChanges(),
  correlations: (store) => store.correlations([workerId(0), workerId(1)], publisherWallet),
  assignedAt: (store, { t }) => store.assignedAt(taskId(t)),
  holdCursor: (store, { n, w }) => store.holdCursor('me', uuid(14, w), later(n), later(n + 5)),
  failCursor: (store, { w }) => store.failCursor({ name: 'me', holder: uuid(14, w), place: '0.0', failures: 0 }),
  releaseCursor: (store, { w }) => store.releaseCursor({ name: 'me', holder: uuid(14, w), place: '0.0', failures: 0 }),
  putBlock: (store, { n, w }) =>
    store.putBlock({ id: uuid(15, n), blocker: publisherWallet, blocked: workerWallet(w), createdAt: later(n) }, 1_000),
  removeBlock: (store, { w }) => store.removeBlock(publisherWallet, workerWallet(w)),
  areApart: (store, { w }) => store.areApart(workerWallet(w), publisherWallet),
}

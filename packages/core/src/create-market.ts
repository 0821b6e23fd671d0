import { MarketError } from './errors.ts'
import { apply } from './flows/apply.ts'
import { approveChallenge, releaseChallenge } from './flows/approve-challenge.ts'
import { approve } from './flows/approve.ts'
import { assign, assignChallenge } from './flows/assign.ts'
import { cancel, reclaim, refundEscrow } from './flows/cancel.ts'
import type { MarketDeps, MarketParts } from './flows/deps.ts'
import { addStatement, listDisputes, openDispute, readDispute } from './flows/dispute.ts'
import { createDuties } from './flows/duties.ts'
import { createHeld } from './flows/held.ts'
import { createIdentities } from './flows/identify.ts'
import { createMarketAudit } from './create-market-audit.ts'
import { createMarketAccount } from './create-market-account.ts'
import { createMarketAdmin } from './create-market-admin.ts'
import { createMarketListings } from './create-market-listings.ts'
import { publish } from './flows/publish.ts'
import { prepareRating, submitRating } from './flows/rate.ts'
import { existingWorker } from './flows/read.ts'
import { registerWorker } from './flows/register-worker.ts'
import { resolveDispute } from './flows/resolve.ts'
import { reject, requestChanges } from './flows/review.ts'
import { feeChallenge, feePaid, payFee } from './flows/pay-fee.ts'
import { presignDownload, presignUpload } from './flows/evidence-files.ts'
import { submit } from './flows/submit.ts'
import { updateTask } from './flows/update-task.ts'
import { withdraw } from './flows/withdraw.ts'
import type { Market } from './market.ts'
import { networkNamed } from './network.ts'
import { isGiven } from './reputation/rating.ts'
import { readPlace, setPlace } from './flows/place.ts'
import { createEventViews } from './views/event-views.ts'
import { createPeopleViews } from './views/people-views.ts'
import { createRoomViews } from './views/room-views.ts'
import {
  applications,
  currentSubmission,
  escrow,
  listTasks,
  payment,
  paymentEvents,
  readSubmission,
  readTask,
  submissions,
} from './views/task-views.ts'

/** Builds the marketplace from what it stands on. Starts nothing: the duties run when somebody calls them. */
export function createMarket(parts: MarketParts): Market {
  const identities = createIdentities(parts)
  const deps: MarketDeps = { ...parts, held: createHeld(), identified: identities.identified }
  return {
    publish: (caller, input) => publish(deps, caller, input),
    updateTask: (caller, taskId, input) => updateTask(deps, caller, taskId, input),
    cancel: (caller, taskId) => cancel(deps, caller, taskId),
    apply: (caller, taskId, input) => apply(deps, caller, taskId, input),
    assignChallenge: (caller, taskId, executorId) => assignChallenge(deps, caller, taskId, executorId),
    assign: (caller, taskId, input) => assign(deps, caller, taskId, input),
    submit: (caller, taskId, input) => submit(deps, caller, taskId, input),
    approve: (caller, submissionId, input) => approve(deps, caller, submissionId, input),
    approveChallenge: (caller, submissionId) => approveChallenge(deps, caller, submissionId),
    feeChallenge: (caller, taskId) => feeChallenge(deps, caller, taskId),
    payFee: (caller, taskId, feeAuth) => payFee(deps, caller, taskId, feeAuth),
    feePaid: (caller, taskId) => feePaid(deps, caller, taskId),
    reject: (caller, submissionId, input) => reject(deps, caller, submissionId, input),
    requestChanges: (caller, submissionId, reason) => requestChanges(deps, caller, submissionId, reason),
    currentSubmission: (taskId) => currentSubmission(deps, taskId),
    listTasks: (caller, filter, page) => listTasks(deps, caller, filter, page),
    availableTasks: (filter, page) => deps.store.availableTasks(filter, page, deps.clock.now()),
    readTask: (caller, taskId) => readTask(deps, caller, taskId),
    applications: (caller, taskId, page) => applications(deps, caller, taskId, page),
    submissions: (caller, taskId) => submissions(deps, caller, taskId),
    readSubmission: (caller, submissionId) => readSubmission(deps, caller, submissionId),
    escrow: (caller, taskId) => escrow(deps, caller, taskId),
    payment: (caller, taskId) => payment(deps, caller, taskId),
    paymentEvents: (caller, taskId) => paymentEvents(deps, caller, taskId),
    refundEscrow: (caller, taskId) => refundEscrow(deps, caller, taskId),
    reclaim: (caller, taskId) => reclaim(deps, caller, taskId),
    releaseChallenge: (caller, taskId) => releaseChallenge(deps, caller, taskId),
    registerWorker: (caller, input) => registerWorker(deps, caller, input),
    readWorker: (executorId) => existingWorker(deps, executorId),
    openDispute: (caller, submissionId, input) => openDispute(deps, caller, submissionId, input),
    disputes: (caller, filter, page) => listDisputes(deps, caller, filter, page),
    readDispute: (caller, disputeId) => readDispute(deps, caller, disputeId),
    addStatement: (caller, disputeId, input) => addStatement(deps, caller, disputeId, input),
    resolveDispute: (caller, disputeId, input) => resolveDispute(deps, caller, disputeId, input),
    withdraw: (caller, taskId) => withdraw(deps, caller, taskId),
    registerIdentity: identities.register,
    ensureIdentity: identities.ensure,
    findIdentity: identities.find,
    knownIdentity: identities.known,
    identityOf: (wallet, network) => identityOf(deps, wallet, network),
    async agentScore(agentId, network) {
      const name = networkNamed(deps.networks, network ?? deps.settings.identityNetwork).name
      const [counted, registry] = await Promise.all([
        deps.store.countedRatings(name, agentId, null),
        deps.ratings.summary(name, agentId),
      ])
      return { agentId, network: name, ...counted, registry }
    },
    prepareRating: (caller, input) => prepareRating(deps, caller, input),
    submitRating: (caller, input) => submitRating(deps, caller, input),
    feedbackDocument: (taskId, direction) => feedbackDocument(deps, taskId, direction),
    presignUpload: (caller, input) => presignUpload(deps, caller, input),
    presignDownload: (caller, key) => presignDownload(deps, caller, key),
    uploadSizes: () => deps.uploads.sizes(),
    paymentsHealth: () => deps.store.paymentsHealth(deps.clock.now()),
    ...createMarketAudit(deps),
    ...createMarketAccount(deps),
    ...createMarketAdmin(deps),
    ...createMarketListings(deps),
    ...createPeopleViews(deps),
    ...createEventViews(deps),
    setPlace: (caller, taskId, place) => setPlace(deps, caller, taskId, place),
    readPlace: (caller, taskId) => readPlace(deps, caller, taskId),
    ...createRoomViews(deps),
    duties: createDuties(deps),
  }
}

async function identityOf(
  deps: MarketDeps,
  wallet: string,
  network: string | null,
): Promise<{ readonly agentId: number; readonly network: string }> {
  const name = networkNamed(deps.networks, network ?? deps.settings.identityNetwork).name
  const stored = await deps.store.identity(name, wallet)
  const agentId = stored === null ? await deps.identities.lookup(name, wallet) : stored.agentId
  if (agentId === null) throw new MarketError('IDENTITY_NOT_FOUND', { wallet, network: name })
  return { agentId, network: name }
}

async function feedbackDocument(
  deps: MarketDeps,
  taskId: string,
  direction: Parameters<Market['feedbackDocument']>[1],
): Promise<Uint8Array> {
  const ratings = await deps.store.ratings(taskId)
  const rating = ratings.find((one) => isGiven(one) && (direction === null || one.direction === direction))
  if (rating === undefined) throw new MarketError('FEEDBACK_NOT_FOUND', { task_id: taskId })
  return rating.document
}

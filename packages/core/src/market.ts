import { bind, pick, type Bound } from './bind.ts'
import { anonymiseAccount } from './flows/anonymise-account.ts'
import { acceptChallenge, acceptOffer } from './flows/accept-offer.ts'
import { apply } from './flows/apply.ts'
import { approveChallenge, releaseChallenge, sumToApprove } from './flows/approve-challenge.ts'
import { approve } from './flows/approve.ts'
import { assign, assignChallenge } from './flows/assign.ts'
import { bindChannel } from './flows/bind-channel.ts'
import { closeChannel, settleChannel } from './flows/close-channel.ts'
import { block, blocked, unblock } from './flows/block.ts'
import { cashOut, cashOuts, readCashOut } from './flows/cash-out.ts'
import { cancel, reclaim, refundEscrow } from './flows/cancel.ts'
import { changeRunConfig } from './flows/change-run-config.ts'
import { decideReport } from './flows/decide-report.ts'
import type { MarketDeps, MarketParts } from './flows/deps.ts'
import { addStatement, disputes, openDispute, readDispute } from './flows/dispute.ts'
import { duties } from './flows/duties.ts'
import { presignDownload, presignUpload, uploadSizes } from './flows/evidence-files.ts'
import { elapse } from './flows/elapse.ts'
import { begin } from './flows/begin.ts'
import { ownApplication } from './flows/own-application.ts'
import { closeOffer, offers, readOffer } from './flows/end-offer.ts'
import { extendDeadline, taskDeadline } from './flows/extend-deadline.ts'
import { forceTask } from './flows/force-task.ts'
import { giveRating, ratingGiven } from './flows/give-rating.ts'
import { createHeld } from './flows/held.ts'
import { createIdentities, type Identities } from './flows/identify.ts'
import { existingListing, postListing, updateListing } from './flows/list-service.ts'
import { messages, sendMessage } from './flows/messages.ts'
import { offerChallenge, proposeOffer } from './flows/offer.ts'
import { orderListing } from './flows/order-service.ts'
import { channelOffer, openChannel } from './flows/open-channel.ts'
import { feeChallenge, feePaid, payFee } from './flows/pay-fee.ts'
import { bindPayoutAddress, ownExecutorId, payoutAddress } from './flows/payout-address.ts'
import { readPlace, setPlace } from './flows/place.ts'
import { setPolicy, taskPolicy } from './flows/policy.ts'
import { invite } from './flows/invite.ts'
import { answerAsk, askToShow, readPiece, takeWorkBack, workerPieces } from './flows/portfolio.ts'
import { removeSearch, saveSearch, searches } from './flows/save-search.ts'
import { removePicture, setPicture } from './flows/set-picture.ts'
import { publish } from './flows/publish.ts'
import { prepareRating, ratingSubmitted, submitRating } from './flows/rate.ts'
import { answerQuestion, askQuestion, questions } from './flows/questions.ts'
import { existingWorker } from './flows/read.ts'
import { registerWorker } from './flows/register-worker.ts'
import { report, reports } from './flows/report.ts'
import { resolveDispute } from './flows/resolve.ts'
import { reject, requestChanges } from './flows/review.ts'
import { appeal, arbiters, readRuling, rule, rulingChallenge } from './flows/rule.ts'
import { setBan } from './flows/set-ban.ts'
import { readStream, startStream, stopStream } from './flows/stream.ts'
import { submit } from './flows/submit.ts'
import { sweepFees } from './flows/sweep-fees.ts'
import { tick } from './flows/tick.ts'
import { updateTask } from './flows/update-task.ts'
import { withdraw } from './flows/withdraw.ts'
import { exportAccount } from './views/account-export.ts'
import { events, everyEvent, roomEvents } from './views/event-views.ts'
import { adminMetrics, chainLags, closedNetworks, paymentsHealth } from './views/house-views.ts'
import { browseListings, matchListings, ownListings } from './views/listing-views.ts'
import { acceptedTicks, channelAt, meter, ownChannel, publicChannel } from './views/meter-views.ts'
import {
  agentHolder,
  crossChain,
  earnings,
  identityOf,
  listSubmissions,
  publisherStanding,
  updateWorker,
  workerStanding,
  workerTasks,
} from './views/people-views.ts'
import { agentScore, correlations, feedbackDocument } from './views/rating-views.ts'
import { ownStreams } from './views/stream-views.ts'
import {
  adminTasks,
  applications,
  availableTasks,
  currentSubmission,
  escrow,
  listTasks,
  payment,
  paymentEvents,
  readSubmission,
  readTask,
  submissions,
  submissionsOfTask,
  taskFacts,
} from './views/task-views.ts'

/**
 * All that outsiders may ask of the domain, each by the signature of its flow. Every one throws `MarketError` for what
 * it expects to go wrong; codes are those its operation lists in the contract.
 */
const flows = {
  ...{
    publish,
    updateTask,
    cancel,
    apply,
    assignChallenge,
    assign,
    withdraw,
    setPlace,
    readPlace,
    ...{ extendDeadline, taskDeadline, invite },
    setPolicy,
    taskPolicy,
  },
  ...{ begin, ownApplication, submit, approve, approveChallenge, sumToApprove, reject, requestChanges },
  ...{ presignUpload, presignDownload, uploadSizes },
  ...{ listTasks, availableTasks, readTask, taskFacts, applications },
  ...{ submissions, submissionsOfTask, readSubmission, listSubmissions, currentSubmission },
  ...{ escrow, payment, paymentEvents, refundEscrow, reclaim, releaseChallenge, feeChallenge, payFee, feePaid },
  ...{ channelOffer, openChannel, bindChannel, tick, closeChannel, settleChannel },
  ...{ meter, publicChannel, ownChannel, channelAt, acceptedTicks },
  ...{ startStream, readStream, stopStream, ownStreams },
  ...{ openDispute, disputes, readDispute, addStatement, resolveDispute },
  ...{ offers, readOffer, offerChallenge, proposeOffer, acceptChallenge, acceptOffer, closeOffer },
  ...{ messages, sendMessage, questions, askQuestion, answerQuestion },
  ...{ arbiters, rulingChallenge, rule, readRuling, appeal },
  ...{ postListing, updateListing, readListing: existingListing, orderListing },
  ...{ browseListings, ownListings, matchListings },
  ...{ registerWorker, readWorker: existingWorker, updateWorker, workerTasks, workerStanding, earnings },
  ...{ publisherStanding, agentHolder, crossChain, identityOf, correlations },
  ...{ prepareRating, submitRating, ratingSubmitted, giveRating, ratingGiven, feedbackDocument, agentScore },
  ...{ exportAccount, anonymiseAccount, payoutAddress, bindPayoutAddress, ownExecutorId },
  ...{ cashOut, cashOuts, readCashOut },
  ...{ saveSearch, searches, removeSearch },
  ...{ setPicture, removePicture },
  ...{ askToShow, answerAsk, takeWorkBack, readPiece, workerPieces },
  ...{ report, reports, block, unblock, blocked },
  ...{ events, everyEvent, roomEvents },
  ...{ adminTasks, forceTask, elapse, setBan, decideReport, sweepFees, changeRunConfig },
  ...{ adminMetrics, chainLags, closedNetworks, paymentsHealth },
} as const

/** Reads without a rule: the store answers them as it is. */
const reads = [
  'channelsOf',
  'rankedWorkers',
  'directory',
  'marketStats',
  'eventHorizon',
  'taskMembers',
  'picture',
  'workerByWallet',
  'shownPicture',
  'adminWorkers',
  'adminReports',
  'auditLines',
  'runChanges',
  'moneyFindings',
  'unresolvedFindings',
] as const

/** The marketplace. `duties`: one round of each background duty. */
export type Market = Bound<typeof flows> &
  Pick<MarketDeps['store'], (typeof reads)[number]> &
  Identities & { readonly duties: Bound<typeof duties> }

/** Builds the marketplace from what it depends on. Starts nothing: the duties run when they are called. */
export function createMarket(parts: MarketParts): Market {
  const { identified, ...identities } = createIdentities(parts)
  const deps: MarketDeps = { ...parts, held: createHeld(), identified }
  return { ...bind(deps, flows), ...pick(deps.store, reads), ...identities, duties: bind(deps, duties) }
}

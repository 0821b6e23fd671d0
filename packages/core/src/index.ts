export { MarketError, type ErrorDetails } from './errors.ts'
export { cutText } from './cut-text.ts'
export { createMarket, type Market } from './market.ts'
export * from './page.ts'
export type { MarketParts as MarketDeps, MarketSettings } from './flows/deps.ts'
export { askedFor, formatUsd, parseUsd, splitFee } from './money/amount.ts'
export type { AdminCaller, Anonymous, Caller, Delegation, WalletCaller } from './caller.ts'
export type { Amount, Asset, Split } from './money/amount.ts'
export type { MarketNetwork } from './network.ts'
export type { Payment, EscrowAuthorization, SignedReleaseOrder } from './escrow/payment.ts'
export { directNonceOf } from './escrow/direct-nonce.ts'
export type { DirectAsk } from './ports/signatures.ts'
export {
  BookedForAnother,
  isAfter,
  totalsOf,
  type LogPlace,
  type Movement,
  type MovementKind,
  type Totals,
} from './escrow/movement.ts'
export type { SplitChallenge, SplitPayments, SplitTerms } from './ports/split-payments.ts'
export type { DirectPayment } from './escrow/direct-payment.ts'
export type { LockMode } from './escrow/payment-mode.ts'
export type { EscrowView, PaymentEvent } from './escrow/payment-record.ts'
export type { KeptTask, Task, TaskView, SeenTask, PublisherReputation, ExecutorReputation } from './tasks/task.ts'
export type { StoredFile } from './submissions/evidence-rules.ts'
export { fixOf } from './verification/fix-of.ts'
export type { Submission, TakenDown, Check, CheckResult, Evidence } from './submissions/submission.ts'
export type { Application, ApplicationView } from './applications/application.ts'
export type { Listing, ListingChanges, ListingView } from './listings/listing.ts'
export { usDollar } from './listings/listing.ts'
export type * from './ports/store-admin.ts'
export { forcedMove, type ForcedMove } from './admin/forced-move.ts'
export type { AdminAct, AuditAction, AuditLine, AuditState } from './admin/audit-line.ts'
export type { Ban } from './admin/ban.ts'
export type { AdminMetrics, MoneyMetrics } from './admin/metrics.ts'
export { closedIn, requireSound, type RunChanges } from './admin/run-config.ts'
export { accountProof, type AccountProof } from './identity/account-proof.ts'
export {
  reportsPerDay,
  type AccountExport,
  type Block,
  type Report,
  type ReportDecision,
  type ReportView,
} from './identity/account.ts'
export type * from './ports/store-account.ts'
export type * from './ports/store-cash-outs.ts'
export type { CashOutInput, CashOuts } from './flows/cash-out.ts'
export { cashOutLimits, unsentKeptMs, type CashOut, type Sendable } from './cash-outs/cash-out.ts'
export type * from './ports/store-listings.ts'
export type { Worker, WorkerProfile, WorkerView } from './identity/worker.ts'
export { divideBounty, sharesOf } from './disputes/dispute.ts'
export type { Dispute, DisputeView, Resolution, Side, Statement } from './disputes/dispute.ts'
export type * from './ports/rail.ts'
export type * from './ports/payment-budget.ts'
export type * from './ports/signatures.ts'
export type * from './ports/identity-registry.ts'
export type * from './ports/rating-relay.ts'
export type * from './ports/surroundings.ts'
export type * from './ports/uploads.ts'
export type * from './ports/day-budget.ts'
export { dealtOut, isScarce, newcomerShares, passedWhen, seatShares, type NewcomerShares } from './budgets/newcomers.ts'
export type * from './ports/pictures.ts'
export type * from './ports/store-pictures.ts'
export { publisherOf } from './identity/party.ts'
export { pictureSquare, picturesPerDay } from './identity/picture.ts'
export { uploadCharge, type UploadBudget, type UploadLimits, type UploadSpent } from './submissions/upload-budget.ts'
export type * from './ports/store.ts'
export type * from './ports/store-people.ts'
export type * from './ports/store-disputes.ts'
export type * from './ports/store-events.ts'
export type * from './ports/store-verification.ts'
export type * from './verification/scene.ts'
export type { PublicArea, TaskPlace, ShownPlace } from './tasks/place.ts'
export type * from './ports/store-rooms.ts'
export type * from './ports/store-words.ts'
export type * from './ports/store-timers.ts'
export type * from './ports/store-offers.ts'
export type * from './ports/store-messages.ts'
export type * from './ports/store-extensions.ts'
export type * from './ports/store-invitations.ts'
export type * from './ports/store-searches.ts'
export type * from './ports/portfolio.ts'
export type * from './ports/store-portfolio.ts'
export { askDays, portfolioPerDay } from './portfolio/piece.ts'
export type { Piece, PieceStanding, ShownPicture, ShownPiece, Work } from './portfolio/piece.ts'
export type { PieceView } from './flows/portfolio.ts'
export { filterData, type Look, type SavedFilter, type SavedSearch } from './searches/saved-search.ts'
export type { Invitation, Invited } from './tasks/invitation.ts'
export type { Extension } from './tasks/extension.ts'
export type { Audience, Message, Said } from './messages/message.ts'
export type { Asked, Question } from './messages/question.ts'
export type * from './ports/store-rulings.ts'
export {
  termsOf as offerTerms,
  type Offer,
  type OfferPayments,
  type OfferStatus,
  type OfferTerms,
} from './settlement-offers/offer.ts'
export type { Turn } from './settlement-offers/turn.ts'
export { rulingTimes, type Ruling, type RulingStatus } from './disputes/ruling.ts'
export type { OfferChallenge, OfferInput, OfferPaymentsAsked } from './flows/offer.ts'
export type { AcceptChallenge, AcceptedOffer } from './flows/accept-offer.ts'
export type { RulingChallenge, RulingInput } from './flows/rule.ts'
export type * from './ports/store-channels.ts'
export type * from './ports/channel-ledger.ts'
export type * from './ports/channel-openings.ts'
export type {
  AcceptedTick,
  Channel,
  ChannelEnd,
  ChannelStatus,
  CloseReason,
  Closing,
  GivenVoucher,
  VoucherMode,
} from './channels/channel.ts'
export type { DecideTick, Ticked, TickTurn } from './channels/tick-turn.ts'
export type * from './channels/order.ts'
export type { ChannelClosing } from './flows/close-channel.ts'
export { isTimed, partsPerUnit, type Meter, type MeterTerms, type StreamingInput } from './channels/metering.ts'
export { payoutOf, workerShareBps } from './channels/payout.ts'
export { askedUntil, readPolicy, type OnSilence, type PolicyInput, type TaskPolicy } from './policy/policy.ts'
export { historyOf, noDecisions } from './policy/decisions.ts'
export type { DecisionKind, Decisions, PublisherHistory } from './policy/decisions.ts'
export { nextAction, type NextAction } from './policy/next-action.ts'
export { requiredChecksPassed } from './policy/required-checks.ts'
export type { DeadlineView } from './flows/extend-deadline.ts'
export type { PolicyView } from './flows/policy.ts'
export { channelState, isMeterOver, readMeter, type MeterReading } from './channels/reading.ts'
export type { ChannelOfferView } from './flows/open-channel.ts'
export type { StreamInput, StreamView } from './flows/stream.ts'
export type { MeterView } from './views/meter-views.ts'
export { writtenWords, type TaskWords } from './tasks/task-words.ts'
export type { TaskRead } from './views/task-views.ts'
export type * from './ports/store-cursors.ts'
export type * from './ports/notifier.ts'
export { createNoticeDuty, type NoticeDutyDeps } from './flows/notify-workers.ts'
export { makesNotice, noticeOf, type Notice, type NoticeKind, type TaskFacts } from './notices/notice.ts'
export { hearing, type Room } from './rooms/room.ts'
export {
  failingLimitMs,
  heldUntil,
  isDelivered,
  isGone,
  oneAttempt,
  pushSchedule,
  stepAfter,
  webhookSchedule,
  type DeliveryStep,
  type EndpointAnswer,
} from './delivery/schedule.ts'
export type { NewWebhook, Webhook, WebhookChange } from './webhooks/webhook.ts'
export { createWebhooks, type Replayed, type WebhookDeps, type Webhooks } from './flows/webhooks.ts'
export type { PostedWebhook, WebhookLine, WebhookMessage } from './ports/webhook-line.ts'
export { concerns, isPublic, publicEvents } from './events/event.ts'
export { eventQuery, type EventFilter, type EventPage } from './views/event-views.ts'
export {
  claimLeaseMs,
  sendBefore,
  type Settlement,
  type SettlementPurpose,
  type SettlementStatus,
} from './settlements/settlement.ts'
export { networkOf } from './settlements/order.ts'
export type { CountedRatings, PaidBehind, Rating, RegistryMean } from './reputation/rating.ts'
export type { Posting } from './ledger/journal.ts'
export type { Finding, MoneyFinding } from './audit/finding.ts'
export type { EscrowBooks } from './audit/compare-escrow.ts'
export type * from './ports/verification.ts'
export type { HeldSums, Holdings } from './audit/compare-sums.ts'
export type * from './ports/store-audit.ts'
export { correlationOf, type Correlation, type CorrelationFacts } from './reputation/correlation.ts'
export { coldStartFloor, executorReputation } from './reputation/effective-score.ts'
export { hasWords, searchWords } from './tasks/search-words.ts'
export { publicStatuses } from './tasks/visibility.ts'
export { lifecycle, isFinal } from './tasks/lifecycle.ts'
export type { DebtStore, UnpaidFee } from './ports/store-debts.ts'
export type {
  ChainBlock,
  ChainLogs,
  ChainWindow,
  Distribution,
  SeenLock,
  SeenMovement,
  SpentNonce,
} from './ports/chain-logs.ts'
export { lateBlocks } from './audit/following.ts'
export type { BookedMovement, FollowStore, FollowTx, Following, KnownPayment } from './ports/store-follow.ts'
export type { PublishInput, Published } from './flows/publish.ts'
export type { UpdateInput } from './flows/update-task.ts'
export type * from './tasks/task-filter.ts'
export type { Assignment, AssignInput, AssignChallenge } from './flows/assign.ts'
export type { ApproveInput, ApprovalOutcome } from './flows/approve.ts'
export type { RejectInput } from './flows/review.ts'
export type { Cancellation, Reclaim } from './flows/cancel.ts'
export type { ReleaseChallenge, ApproveChallenge } from './flows/approve-challenge.ts'
export type { PreparedRating, RatingSubmission, GivenRating } from './flows/rate.ts'
export type { Registration } from './flows/identify.ts'
export type { RunConfigChange } from './flows/change-run-config.ts'
export type { Forced } from './flows/force-task.ts'
export type { SweptFees } from './flows/sweep-fees.ts'
export type { ChainLag } from './audit/chain-lag.ts'
export type { DirectRatingInput, DirectRating } from './flows/give-rating.ts'
export type { ResolveInput, ResolvedDispute } from './flows/resolve.ts'
export type { Withdrawal } from './flows/withdraw.ts'
export type { Upload, UploadInput, DownloadLink } from './flows/evidence-files.ts'
export type { BindInput } from './flows/bind-channel.ts'
export type { TickInput } from './flows/tick.ts'
export type { FeeChallenge, FeePayment } from './flows/pay-fee.ts'
export type { NewListing, ListingUpdate } from './flows/list-service.ts'
export type { BrowseFilter } from './views/listing-views.ts'
export type { OrderInput, Order } from './flows/order-service.ts'
export type {
  WorkerChanges,
  WorkerStanding,
  PublisherStanding,
  AgentHolder,
  NetworkStanding,
} from './views/people-views.ts'
export type { DuePush, PushClaim, PushConfig, PushConfigs } from './ports/push-configs.ts'
export type { DueMail, MailSubscription, MailSubscriptions } from './ports/mail-subscriptions.ts'
export type { DueNotice, NoticeLanguage, NoticeQueue } from './ports/notice-queue.ts'
export type { DueSubscription, PushSubscription, PushSubscriptions } from './ports/push-subscriptions.ts'
export type {
  DeliveryQueue,
  EndedAttempt,
  LeasedDelivery,
  LeaseRequest,
  LoggedAttempt,
  LoggedDelivery,
  MakeDelivery,
  NewDelivery,
  ReplayRange,
  StoredSecret,
  WebhookStore,
} from './ports/store-webhooks.ts'

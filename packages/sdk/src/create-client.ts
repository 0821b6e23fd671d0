import type { EventName } from '@ergon/contract'
import { networks, type Network } from '@ergon/protocols'
import { approveSubmission, type ApproveSubmissionInput } from './approve-submission.ts'
import { assignWorker, type AssignWorkerInput } from './assign-worker.ts'
import {
  createOperationsClient,
  type CallOptions,
  type ClientOptions,
  type Input,
  type OperationsClient,
  type Output,
} from './client.ts'
import type { CashOutInput } from './cash-out.ts'
import { events, type EventOptions, type MarketEvent } from './events.ts'
import { connectEvents, type ConnectEventsOptions, type LiveEvents } from './live/connect-events.ts'
import { cancelTask, refundEscrow, withdrawFromTask } from './give-back.ts'
import type { OpenChannelInput } from './metered/open-channel.ts'
import type { BindChannelInput, BindPayoutInput } from './metered/key-texts.ts'
import { orderService, type OrderedService, type OrderServiceInput } from './order-service.ts'
import { pages, type PagedName } from './pages.ts'
import { payUnpaidFee, type PayUnpaidFeeInput } from './pay-unpaid-fee.ts'
import { rate, type RateInput } from './rate.ts'
import { reclaimTransaction, type ReclaimTransaction } from './reclaim.ts'
import { signIn, type SignInOptions } from './sign-in.ts'
import { uploadEvidence, type UploadedEvidence, type UploadEvidenceInput } from './upload-evidence.ts'
import { verifyFunding, type VerifiedFunding, type VerifyFundingInput } from './verify-funding.ts'
import { watchMeter } from './metered/watch-meter.ts'
import { waitFor, type WaitForOptions } from './wait-for.ts'

/** Every operation of the contract, and the steps that take more than one of them in a single call. */
export type Client = OperationsClient & {
  /** Signs the escrow authorization and assigns; resolves once the bounty is locked. */
  assignWorker(input: AssignWorkerInput): Promise<Output<'tasks.assign'>>
  /** Signs the payment and approves; resolves once the worker is paid. */
  approveSubmission(input: ApproveSubmissionInput): Promise<Output<'submissions.approve'>>
  /** Pays the fee that FEE_UNPAID names; resolves once it is paid. */
  payUnpaidFee(input: PayUnpaidFeeInput): Promise<Output<'payments.payFee'>>
  /** Signs a transfer of earnings and has it sent without gas; resolves once it has arrived, or still `sending`. */
  cashOut(input: CashOutInput): Promise<Output<'cashOuts.send'>>
  /** Cancels a task; resolves once what was held is back. */
  cancelTask(input: Input<'tasks.cancel'>): Promise<Output<'tasks.cancel'>>
  /** Steps down as the worker of a task; resolves once what was held is back with its publisher. */
  withdrawFromTask(input: Input<'tasks.withdraw'>): Promise<Output<'tasks.withdraw'>>
  /** Takes back what a task that is over still holds; resolves once it is back. */
  refundEscrow(input: Input<'escrow.refund'>): Promise<Output<'escrow.refund'>>
  /** Orders a service and locks its price for the seller. */
  orderService(input: OrderServiceInput): Promise<OrderedService>
  /** Signs a rating; its author on chain is this wallet. */
  rate(input: RateInput): Promise<Output<'reputation.submit'>>
  /** Opens a channel for a metered task by one signature of its payer; resolves once it funds the task. */
  openChannel(input: OpenChannelInput): Promise<Output<'channels.open'>>
  /** Lets a channel that is open already fund a metered task. */
  bindChannel(input: BindChannelInput): Promise<Output<'channels.bind'>>
  /** Ends a session; resolves once accepted time is paid and the rest is back. */
  stopSession(input: { readonly session_id: string }): Promise<Output<'streams.get'>>
  /** The meter of a task, or of a session under its id, as it is and at each change, until its channel is settled. */
  watchMeter(taskId: string, options?: CallOptions): AsyncGenerator<Output<'meters.get'>, void, undefined>
  /** Ends the pay of a metered task; resolves once accepted work is paid and the rest is back. */
  closeChannel(input: { readonly task_id: string }): Promise<Output<'meters.get'>>
  /** Has a worker paid at a Solana address, which proves itself by its key. */
  bindPayoutAddress(input: BindPayoutInput): Promise<Output<'account.bindSolanaPayout'>>
  /** The transaction with which the payer takes a bounty back by itself, checked; sending it is up to the wallet. */
  reclaimTransaction(taskId: string): Promise<ReclaimTransaction>
  /** Whether the bounty of a task is held for its worker, by the word of a node and not of the service. */
  verifyFunding(input: VerifyFundingInput): Promise<VerifiedFunding>
  /** Uploads one file and answers the link to submit. */
  uploadEvidence(input: UploadEvidenceInput): Promise<UploadedEvidence>
  /** The pages of a list, one after the other. */
  pages<N extends PagedName>(
    name: N,
    input?: Input<N>,
    options?: CallOptions,
  ): AsyncGenerator<Output<N>, void, undefined>
  /** Events as they happen, each once and in order; keep the `cursor` of the last and nothing is missed. */
  events<N extends EventName = EventName>(options?: EventOptions<N>): AsyncGenerator<MarketEvent<N>, void, undefined>
  /** Events over a socket, the moment they are committed; a connection that breaks is made again without a gap. */
  connectEvents(options?: ConnectEventsOptions): Promise<LiveEvents>
  /** Waits until a task is as it should be. */
  waitFor(
    taskId: string,
    predicate: (task: Output<'tasks.get'>) => boolean,
    options?: WaitForOptions,
  ): Promise<Output<'tasks.get'>>
  /** Opens the session of a person, in a client with `session: true`. */
  signIn(options?: SignInOptions): Promise<Output<'auth.openSession'>>
  /** Ends the session everywhere. */
  signOut(): Promise<void>
}

/** Options of {@link createClient}. */
export type CreateClientOptions = ClientOptions & {
  /** Networks whose contract addresses are trusted when signing; the published table unless told otherwise. */
  readonly networks?: readonly Network[]
}

/**
 * A client of one service for one wallet. Runs wherever there is `fetch`.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:4020', signer: privateKeySigner(key) })
 * const { id } = await client.tasks.publish({ title, instructions, category: 'simple_action', bounty_usd: 1,
 * evidence_required: ['photo'] })
 */
export function createClient(options: CreateClientOptions): Client {
  const { networks: known = Object.values(networks), ...rest } = options
  const client = createOperationsClient(rest)
  const trust = { client, networks: known }
  return {
    ...client,
    // The namespace of the operations is callable: `client.events()` goes on by itself where `client.events.list()`
    // reads once.
    events: Object.assign(<N extends EventName>(given?: EventOptions<N>) => events<N>(client, given), client.events),
    connectEvents: (given) => connectEvents(client, given),
    pages: (name, input, given) => pages(client, name, input, given),
    waitFor: (taskId, predicate, given) => waitFor(client, taskId, predicate, given),
    assignWorker: (input) => assignWorker(trust, input),
    approveSubmission: (input) => approveSubmission(trust, input),
    payUnpaidFee: (input) => payUnpaidFee(trust, input),
    cancelTask: (input) => cancelTask(client, input),
    withdrawFromTask: (input) => withdrawFromTask(client, input),
    refundEscrow: (input) => refundEscrow(client, input),
    orderService: (input) => orderService(trust, input),
    rate: (input) => rate(trust, input),
    // Loaded by whoever sends money on, or meters: most callers never do.
    cashOut: async (input) => (await import('./cash-out.ts')).cashOut(trust, input),
    openChannel: async (input) => (await import('./metered/open-channel.ts')).openChannel(trust, input),
    bindChannel: async (input) => (await import('./metered/key-texts.ts')).bindChannel(client, input),
    bindPayoutAddress: async (input) => (await import('./metered/key-texts.ts')).bindPayoutAddress(client, input),
    closeChannel: async ({ task_id }) => (await import('./metered/close-channel.ts')).closeChannel(client, task_id),
    stopSession: async ({ session_id }) => (await import('./metered/close-channel.ts')).stopSession(client, session_id),
    watchMeter: (taskId, given) => watchMeter(client, taskId, given),
    reclaimTransaction: (taskId) => reclaimTransaction(trust, taskId),
    verifyFunding: (input) => verifyFunding(trust, input),
    uploadEvidence: (input) => uploadEvidence(client, input),
    signIn: (given) => signIn(client, given),
    async signOut() {
      await client.auth.closeSession()
    },
  }
}

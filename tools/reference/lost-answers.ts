/**
 * Every write and every call of the three processes, and what a lost answer of each means (decision 0220). A test holds
 * the names against the code: one that has no row, or a row whose name is gone, is red.
 */
export type LostAnswer = {
  readonly what: string
  /** `process:table` of a write, `Interface.method` of a port, or the file from which something leaves. */
  readonly names: readonly string[]
  /** What is so when the answer does not come. */
  readonly means: string
  /** Who finds out, and by what. */
  readonly ends: string
  /** What loses the answer, or stops the process there; none where nobody aims at it yet. */
  readonly tests: readonly string[]
}

const market = 'apps/server/test/market'
const keyed = `${market}/keyed-stops.long.test.ts`
/** The whole path under a seed; the build runs ten thousand of them. */
const simulated = 'simulation/src/main.ts'
const stops = `${market}/simulation.long.test.ts`
const storm = 'packages/dev-env/src/storm/exactly-once.long.test.ts'
const commits = 'apps/server/test/lines/lost-commit.long.test.ts'
const channelStops = `${market}/channel-stops.long.test.ts`
const lostOfFacilitator = 'apps/facilitator/test/lost-answers.long.test.ts'
const solanaCrash = 'apps/facilitator/test/solana-crash.long.test.ts'
const gatewayCrash = 'apps/gateway/test/crash.long.test.ts'

const of = (process: string, tables: string): readonly string[] =>
  tables.split(' ').map((table) => `${process}:${table}`)
const port = (name: string, methods: string): readonly string[] =>
  methods.split(' ').map((method) => `${name}.${method}`)

const writesOfServer: readonly LostAnswer[] = [
  {
    what: 'the claim, the confirmation and the giving back of a payment',
    names: of('server', 'settlements escrows'),
    means: 'the row may be there; a payment is sent after it alone',
    ends: 'the reconciler, when the lease of eight seconds has run out: it reads the chain and sends the same key again',
    tests: [simulated, stops, storm, commits],
  },
  {
    what: 'the books beside it: each log of the chain once, by network, transaction and log index',
    names: of('server', 'movements ledger payment_events distributions'),
    means: 'the money moved; the books may lack it',
    ends: 'the confirmation again, or the follower of the logs: whoever sees a log first books it, the key refuses the second',
    tests: [simulated, `${market}/follow-chain.test.ts`],
  },
  {
    what: 'a task and what its parties do',
    names: of(
      'server',
      'tasks task_history task_places task_words applications submissions evidence_files image_hashes position_receipts',
    ),
    means: 'it is written whole or not at all, with its event',
    ends: 'the caller: the same Idempotency-Key answers what was written, or carries it out',
    tests: [keyed, commits],
  },
  {
    what: 'the answer kept under a key',
    names: of('server', 'operations'),
    means: 'it is in the same commit as what it answers',
    ends: 'the caller, by the key; another process, when its lease has run out',
    tests: [keyed, commits],
  },
  {
    what: 'disputes, and offers between the parties',
    names: of('server', 'disputes dispute_statements settlement_offers'),
    means: 'as of a task; the money of an offer is a settlement of its own',
    ends: 'the caller, by the key; the timer of its end; the reconciler for the money',
    tests: [keyed, simulated],
  },
  {
    what: 'a ruling of an arbiter with a wallet',
    names: of('server', 'rulings'),
    means: 'it is in the commit that ends its dispute, or begins the time to appeal',
    ends: 'the arbiter, by the key; one dispute has one ruling; the timer executes it',
    tests: [],
  },
  {
    what: 'a timer put, taken or dropped',
    names: of('server', 'task_timers'),
    means: 'it may be due again',
    ends: 'the duty takes it again at its due time; the flow asks the task first, so a second run does nothing',
    tests: [simulated],
  },
  {
    what: 'a channel bound, closed, settled; its ticks and its transactions',
    names: of('server', 'channels channel_ticks channel_orders channel_openings meter_terms'),
    means: 'a tick is written whole or not at all; a transaction is a row before it is sent',
    ends: 'a tick: its repeat under the same key; a transaction: the duty, until it has landed or its blockhash is too old',
    tests: [channelStops],
  },
  {
    what: 'a sweep of fees',
    names: of('server', 'sweeps'),
    means: 'the row may be there; its key is written before the order leaves',
    ends: 'the next round sends the same key; a final refusal spends it',
    tests: [storm],
  },
  {
    what: 'a rating and the means drawn from it',
    names: of('server', 'ratings publisher_scores publisher_decisions workers identities'),
    means: 'a rating is a row before it is relayed; a mean is computed anew',
    ends: 'the duty looks for the document on chain and relays it under the same key',
    tests: [keyed],
  },
  {
    what: 'events and who gets them',
    names: of('server', 'outbox event_recipients event_cursors forgotten_events'),
    means: 'an event is in the commit of its change; a cursor may be old',
    ends: 'the relay reads on from the cursor; an event told again has the same id',
    tests: [simulated, keyed],
  },
  {
    what: 'what the audit of the money found, and how far it came',
    names: of('server', 'chain_followings money_audit money_findings ledger_checks'),
    means: 'the place may be old',
    ends: 'the next round begins at the place that is stored; what it books again is booked once',
    tests: [`${market}/follow-chain.test.ts`],
  },
  {
    what: 'where agents have updates of tasks posted',
    names: of('server', 'a2a_push_configs'),
    means: 'a post may have been heard and not noted',
    ends: 'the lease: it is posted again from the place that is stored',
    tests: ['apps/server/test/a2a/push.long.test.ts'],
  },
  {
    what: 'webhooks and their deliveries',
    names: of('server', 'webhooks webhook_secrets webhook_deliveries webhook_attempts'),
    means: 'a post may have been heard and not noted',
    ends: 'the lease: it is posted again under the same delivery id, which receivers compare',
    tests: [keyed, 'packages/dev-env/src/constellation/webhooks-crash.long.test.ts'],
  },
  {
    what: 'listings and what counts for them',
    names: of('server', 'listings uncounted_orders'),
    means: 'as of a task; an order counts in the commit in which its money moved',
    ends: 'the caller, by the key',
    tests: [keyed],
  },
  {
    what: 'rooms for uploads',
    names: of('server', 'uploads upload_counts'),
    means: 'room may be taken without a link; a file may be kept without a row that says so',
    ends: 'the duty that purges what no submission holds; its lease ends, removing again does no harm',
    tests: [`${market}/uploads.test.ts`],
  },
  {
    what: 'a nonce spent',
    names: of('server', 'nonces'),
    means: 'the signature may be spent; nothing else was done',
    ends: 'the caller signs anew, under the same Idempotency-Key',
    tests: [storm, commits, 'apps/server/test/sdk/lost-answers.long.test.ts'],
  },
  {
    what: 'grants of tools, their tokens, sign-ins and notes',
    names: of(
      'server',
      'oauth_audit oauth_clients oauth_grants oauth_refresh_tokens oauth_sign_ins oauth_signing_epochs sessions',
    ),
    means: 'a token may have been drawn that nobody holds, or taken back',
    ends: 'the client begins its sign-in anew; what was drawn runs out. No money moves by a token alone',
    tests: [],
  },
  {
    what: 'a standing order, what a tool may decide under it, and a signer that a wallet links',
    names: of('server', 'standing_warrants approval_budgets approval_uses linked_signers linked_signer_requests'),
    means:
      'room may be taken for a decision that did not come; an order may be taken back and the facilitator not know',
    ends: 'the reservation goes back when its submission is undecided; the row of an order taken back stays until it is told',
    tests: [],
  },
  {
    what: 'accounts, blocks, bans, reports, what is hidden',
    names: of('server', 'account_proofs blocks bans reports hidden audit_log registration_counts'),
    means: 'it may be there; setting it again is the same',
    ends: 'the caller, by the key or by asking again',
    tests: [],
  },
  {
    what: 'settings of the service, servers that are up, the schema',
    names: of('server', 'run_config servers migrations'),
    means: 'it may be there; each is written again in the same words',
    ends: 'the start of the next process, or the next beat',
    tests: [],
  },
]

const writesOfOthers: readonly LostAnswer[] = [
  {
    what: 'an intent, the keys it goes by, refusals bound to keys',
    names: of('facilitator', 'intents request_keys registrations'),
    means: 'it is there, will be, or not',
    ends: 'tombstones under the same ids, repeated until answered; a successor reads what is open (decision 0081)',
    tests: [lostOfFacilitator, storm, 'apps/facilitator/test/lost-sweeps.long.test.ts'],
  },
  {
    what: 'the lease and the epoch of the sending account',
    names: of('facilitator', 'account_leases'),
    means: 'a successor may hold it',
    ends: 'the epoch, compared in each insert',
    tests: ['apps/facilitator/test/lease.long.test.ts'],
  },
  {
    what: 'a transaction of Solana, before it is sent',
    names: of('facilitator', 'solana_intents'),
    means: 'the row may be there; nothing was sent',
    ends: 'the tracker: until it has landed, or its blockhash is too old',
    tests: [solanaCrash],
  },
  {
    what: 'the place that a payment takes in a standing order',
    names: of('facilitator', 'standing_orders standing_uses'),
    means: 'the place may be held by nobody',
    ends: 'the same payment takes the same place; a place whose payment has no intent goes back',
    tests: [],
  },
  {
    what: 'what gas was spent for whom',
    names: of('facilitator', 'gas_spent'),
    means: 'the count may be short or long by one payment',
    ends: 'the day: counts are of a day, and bound costs alone',
    tests: [],
  },
  {
    what: 'a session of the gateway: its channel, its calls, its transactions',
    names: of('gateway', 'channels deliveries transactions'),
    means: 'a call may be charged and its answer not given; a transaction is a row before it is sent',
    ends: 'the same call again is answered from the row; a duty brings openings, top-ups and closings to their end',
    tests: [gatewayCrash],
  },
]

const calls: readonly LostAnswer[] = [
  {
    what: 'an order to the facilitator',
    names: [...port('Rail', 'send sweepFees'), 'apps/server/src/adapters/http/http-client.ts'],
    means: 'it may be, or may yet be, carried out',
    ends: 'the same key until a final refusal, the chain, or the death of the order (decision 0082)',
    tests: [storm, simulated, 'apps/server/test/http/late-money.long.test.ts', `${market}/late-copies.long.test.ts`],
  },
  {
    what: 'a read of the chain',
    names: [
      ...port('Rail', 'balance chainTime escrowState find holdings movements proof'),
      ...port('ChainLogs', 'head placeOf sentByFacilitator window'),
      ...port('IdentityRegistry', 'holder lookup'),
      ...port('RatingRelay', 'find prepare summary'),
    ],
    means: 'nothing is known, and nothing was changed',
    ends: 'it is read again; what cannot be read proves nothing',
    tests: [simulated, 'apps/server/test/adapters/nodes.test.ts'],
  },
  {
    what: 'a signature or challenge checked, where a wallet is a contract',
    names: [
      ...port('AgreementSignatures', 'isOfferSigned isRulingSigned'),
      ...port(
        'PaymentSignatures',
        'checkReleaseOrder readDirectPayment readEscrowAuthorization readStandingOrder standingRelease treasury',
      ),
      ...port('SplitPayments', 'challenge read'),
    ],
    means: 'nothing was changed',
    ends: 'the caller is told that the chain cannot be read, before anything is claimed',
    tests: [],
  },
  {
    what: 'a rating relayed or given, an identity registered',
    names: [...port('RatingRelay', 'give relay'), ...port('IdentityRegistry', 'register')],
    means: 'it may be on its way',
    ends: 'the same key; the document, or the holder, on chain',
    tests: [storm, lostOfFacilitator],
  },
  {
    what: 'a transaction of a channel or an opening sent',
    names: [...port('ChannelLedger', 'send'), ...port('OpeningLedger', 'deliver windUp')],
    means: 'it may land until its blockhash is too old',
    ends: 'the same bytes; what the ledger shows of the channel',
    tests: [channelStops],
  },
  {
    what: 'a channel read, a transaction built and signed',
    names: [
      ...port('ChannelLedger', 'canReceive channel endOf fate openChannel order'),
      ...port('OpeningLedger', 'countersign offer'),
    ],
    means: 'nothing was sent',
    ends: 'it is asked again; a signed opening is recorded before it is sent',
    tests: [channelStops],
  },
  {
    what: 'openings, uploads and places of agents, behind a port',
    names: [
      ...port('ChannelOpenings', 'find forget lease record'),
      ...port('Uploads', 'claim leaseDue purged reserve sizes taken'),
      ...port('PushConfigs', 'claim failed heard list put remove tell'),
      ...port('PaymentBudget', 'take'),
    ],
    means: 'as of the rows above; a budget may count one payment too many',
    ends: 'leases, and the counts of the day',
    tests: [channelStops, `${market}/uploads.test.ts`, 'apps/server/test/a2a/push.long.test.ts'],
  },
  {
    what: 'the object store, or the folder of files',
    names: [
      ...port('EvidenceStorage', 'presignDownload presignUpload read remove removeDrafts resolve'),
      'apps/server/src/adapters/storage/s3-bucket.ts',
      'apps/server/src/adapters/storage/storage-probe.ts',
      'apps/server/src/adapters/storage/store-upload.ts',
    ],
    means: 'a file may be there, or gone',
    ends: 'it is named by its task and taken once; the purge removes it again',
    tests: [`${market}/uploads.test.ts`, 'apps/server/test/adapters/evidence.test.ts'],
  },
  {
    what: 'a file inspected, a model asked',
    names: [...port('EvidenceInspector', 'inspect'), ...port('Reviewer', 'review')],
    means: 'nothing was changed; a model may have cost something',
    ends: 'the lease of the submission; after its tries the answer says that no check was made',
    tests: [`${market}/verification.test.ts`],
  },
  {
    what: 'a post to a stranger: webhook, agent, notice, document of a client',
    names: [
      ...port('WebhookLine', 'post'),
      ...port('Notifier', 'notify'),
      'apps/server/src/delivery/kept-connections.ts',
    ],
    means: 'it may have been heard',
    ends: 'it is posted again with the same id; after its tries it is told as failed',
    tests: [
      'packages/dev-env/src/constellation/webhooks-crash.long.test.ts',
      'apps/server/test/notices/notifiers.test.ts',
    ],
  },
  {
    what: 'a wake-up from process to process',
    names: ['apps/server/src/adapters/postgres/wake-channel.ts'],
    means: 'nobody may have heard it',
    ends: 'whoever waits looks by itself after its interval',
    tests: ['apps/server/test/lines/wake-channel.test.ts'],
  },
  {
    what: 'a broadcast and a read of an EVM chain',
    names: ['apps/facilitator/src/chain/chain.ts', 'packages/chain-rpc/src/rpc-endpoint.ts'],
    means: 'the node may have it',
    ends: 'the same bytes at the next look; a receipt, or two looks past the nonce',
    tests: [storm, lostOfFacilitator, 'apps/facilitator/test/chain-trouble.test.ts'],
  },
  {
    what: 'a transaction offered to Solana, and a read of it',
    names: [
      'packages/solana-ledger/src/rpc/node.ts',
      'packages/solana-ledger/src/rpc/rpc-ledger.ts',
      'apps/gateway/src/app.ts',
    ],
    means: 'a node may have it',
    ends: 'the same bytes again until it is final, or the finalized height is past its last',
    tests: [solanaCrash, 'packages/solana-ledger/test/rpc-ledger.test.ts'],
  },
  {
    what: 'a paid call of an upstream of the gateway',
    names: ['apps/gateway/src/upstream/call-upstream.ts'],
    means: 'the upstream may have done it',
    ends: 'the same call is asked again under its id and charged once',
    tests: [gatewayCrash],
  },
]

export const lostAnswers: readonly LostAnswer[] = [...writesOfServer, ...writesOfOthers, ...calls]

import { leaves, nameOf } from './leaves.ts'

const signedNames = new Set([
  'payment_auth',
  'payment_worker',
  'payment_fee',
  'lifecycle_order',
  'settlement_auth_worker',
  'settlement_auth_fee',
  'approval',
  'signature',
  'authorization',
])
const signedWhole = new Set([
  'account.bindSolanaPayout',
  'cashOuts.send',
  'channels.bind',
  'channels.open',
  'agents.exchangeKey',
  'auth.openSession',
  'reputation.submit',
  'disputes.rule',
])
/** Words of an offer, part of what is signed. */
const signedFields = new Set(['offers.propose nonce'])

/** Fields that something was signed for: tampered with, each has its call refused. */
export const signed: ReadonlySet<string> = new Set(
  leaves
    .filter(
      (leaf) =>
        signedWhole.has(leaf.operation) || signedNames.has(leaf.path[0] ?? '') || signedFields.has(nameOf(leaf)),
    )
    .map(nameOf),
)

/** Texts that choose something: a canary in them would name nothing. */
export const notPlanted: ReadonlySet<string> = new Set(['admin.changeConfig key'])

/** How a value that is no text is found in what is kept: no other call sends it. */
export const traces: Readonly<Record<string, RegExp>> = {
  'tasks.publish category': /"bureaucratic"/,
  'tasks.publish evidence_required': /\["notarized"\]/,
  'tasks.publish evidence_optional': /\["code_output"\]/,
  'tasks.publish min_reputation': /": 37\b/,
  'tasks.publish target_executor_type': /"robot"/,
  'h2a.publish category': /"emergency"/,
  'h2a.publish evidence_required': /\["receipt"\]/,
  'h2a.publish evidence_optional': /\["screenshot"\]/,
  'h2a.publish min_reputation': /": 38\b/,
  'tasks.submit evidence.gps.samples': /16\.3137/,
  'tasks.submit device_metadata.clock': /2026-11-23T12:34:56/,
  'tasks.submit device_metadata.utc_offset_minutes': /": 47\b/,
  'searches.save box': /"16\.4711,48,17,49"/,
  'channels.tick evidence': /"boats": 4711\b/,
  'streams.tick evidence': /"seen": 4711\b/,
  'tasks.approve rating': /"score": 73\b/,
  'submissions.approve rating': /"score": 74\b/,
  'h2a.approve rating': /"score": 75\b/,
  'reputation.rateWorker score': /"score": 76\b/,
  'reputation.rateAgent score': /"score": 77\b/,
  'reputation.prepare score': /"score":78\b/,
}

/** Values to try that the schema does not give away. */
export const others: Readonly<Record<string, readonly unknown[]>> = {
  'events.list types': ['task.cancelled'],
  'tasks.available box': ['-180,-90,180,90', '10,10,11,11'],
  'tasks.available q': ['photo', 'no such word'],
  'tasks.list q': ['photo', 'no such word'],
  'operations.get operation': ['tasks.cancel'],
}

const ofSilence = 'needs a policy: test/market/silence.test.ts and test/adapters/silence-order.test.ts send it'
const inFase1 = 'a payment of mode fase1, which moves no money here: test/sdk/unpaid-fee.test.ts signs and sends it'
const paysByAgreement = 'a payment of mode fase1, which moves no money here: test/market/settle.test.ts sends it'
const onSolana = 'of a task on Solana, which is not served here: test/http/solana-bounty.test.ts signs for one'
const ofOneNetwork = 'one network with one token is served here: test/page.test.ts takes parts of a longer list'
const oneValue = 'has one value alone'
const ofTheMeter = 'a stream never ends its answer: test/http/meters.test.ts reads it'
const ofASession = 'ten sessions of one buyer run by then: test/http/streams.test.ts reads it back'
const ofABuyer = 'its buyer signs, and a fault in it is told by another: test/channels/bad-input.test.ts'
const ofTheStream = 'a stream never ends its answer: test/http/events.test.ts reads it'

/** Fields whose effect this test cannot see, with the reason. */
export const withReason: Readonly<Record<string, string>> = {
  'tasks.assign payment_worker': inFase1,
  'tasks.apply self_accept': 'needs a task without escrow: test/market/self-accept.test.ts takes one',
  'tasks.assign payment_fee': inFase1,
  'tasks.assign standing_order': ofSilence,
  'h2a.assign standing_order': ofSilence,
  'tasks.approve settlement_auth_worker': inFase1,
  'tasks.approve settlement_auth_fee': inFase1,
  'submissions.approve settlement_auth_worker': inFase1,
  'submissions.approve settlement_auth_fee': inFase1,
  'h2a.assign payment_worker': inFase1,
  'h2a.assign payment_fee': inFase1,
  'h2a.approve settlement_auth_worker': inFase1,
  'h2a.approve settlement_auth_fee': inFase1,
  'offers.propose settlement_auth_worker': paysByAgreement,
  'offers.propose settlement_auth_fee': paysByAgreement,
  'offers.accept settlement_auth_worker': paysByAgreement,
  'offers.accept settlement_auth_fee': paysByAgreement,
  'offers.accept lifecycle_order.action': oneValue,
  'tasks.setPolicy arbiter': 'needs a list of arbiters: test/market/settle.test.ts names one',
  'submissions.approveChallenge payer': onSolana,
  'h2a.approveChallenge payer': onSolana,
  'tasks.publish insist': oneValue,
  'tasks.update insist': oneValue,
  'h2a.publish insist': oneValue,
  'tasks.approve lifecycle_order.action': oneValue,
  'submissions.approve lifecycle_order.action': oneValue,
  'h2a.approve lifecycle_order.action': oneValue,
  'escrow.lifecycleChallenge action': oneValue,
  'h2a.lifecycleChallenge action': oneValue,
  'tasks.update open_to_all': 'of an order whose seller stepped down: test/http/services.test.ts opens one',
  'payments.networks limit': ofOneNetwork,
  'payments.balance limit': ofOneNetwork,
  'reputation.networks limit': ofOneNetwork,
  'reputation.crossChain limit': ofOneNetwork,
  'events.list wait_seconds': 'how long the answer is held back: test/http/events.test.ts waits',
  'meters.stream task_id': ofTheMeter,
  'streams.stream session_id': ofTheMeter,
  'taximetro.stream channel_id': ofTheMeter,
  'taximetro.stream replay': ofTheMeter,
  'taximetro.stream replay_limit': ofTheMeter,
  'events.stream scope': ofTheStream,
  'events.stream types': ofTheStream,
  'events.stream task_id': ofTheStream,
  'events.stream category': ofTheStream,
  'events.stream cursor': ofTheStream,
  'events.stream last_event_id': ofTheStream,
  'channels.offer deposit_usd': 'of a worker who can be paid, who is gone by then: test/channels/opening.test.ts asks',
  'channels.offer authorized_signer': ofABuyer,
  'channels.open authorized_signer': ofABuyer,
  'channels.bind authorized_signer': ofABuyer,
  'channels.tick voucher.voucher.channelId': ofABuyer,
  'channels.tick voucher.signer': ofABuyer,
  'channels.tick voucher.signature': ofABuyer,
  'streams.tick voucher.voucher.channelId': ofABuyer,
  'streams.tick voucher.signer': ofABuyer,
  'streams.tick voucher.signature': ofABuyer,
  'streams.start price_per_unit': ofASession,
  'streams.start cap_usd': ofASession,
  'streams.start hours': ofASession,
  'admin.findings limit': 'there are no findings here: test/http/admin.test.ts pages through some',
  'admin.elapse hours': 'a task is tried but once, and is over then: test/http/elapse.test.ts moves one',
  'admin.elapse actor':
    'a task is tried but once, and is over then: test/http/elapse.test.ts reads it in the audit log',
  'admin.sweepFees token': 'the fees are swept by the time it is tried again: test/market/others-on-chain.test.ts',
  'questions.answer text': 'a question is answered once: test/market/questions.test.ts reads the answer',
  'push.subscribe auth': 'nothing shows it: test/push/push.test.ts opens what is sealed with it',
  'webhooks.replay from': 'a wallet replays ten times an hour: test/webhooks/replays.test.ts',
  'webhooks.replay to': 'a wallet replays ten times an hour: test/webhooks/replays.test.ts',
}

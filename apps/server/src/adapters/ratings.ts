import { cutText, MarketError, type PaidBehind, type PaidRating, type RatingRelay, type RatingTerms } from '@ergon/core'
import {
  type Address,
  bytesToHex,
  canonicalJson,
  type ExpectedEvent,
  expectFeedback,
  isHex32,
  keccak256Hex,
  lowerAddress,
  ownerOfCalldata,
  paymentInfoToWire,
  ratedPaymentTypedData,
  type RelayedGiveFeedback,
  relayedGiveFeedbackDigest,
  relayedGiveFeedbackTypedData,
  relayMaxAheadSec,
  type Signer,
  solanaTransaction,
  utf8,
  wordAt,
} from '@ergon/protocols'
import type { ChainLog } from './chain/log-search.ts'
import {
  hashIn,
  type FacilitatorAnswer,
  type FacilitatorClient,
  type Fields,
} from './facilitator/facilitator-client.ts'
import { registriesOf, tokenOf, type ServedNetwork, type ServedNetworks } from './networks.ts'
import { paymentInfoOf } from './rails/order-request.ts'
import { confirm, landedBy } from './rails/confirm.ts'
import type { Time } from '../surroundings/platform-time.ts'

export type RatingDeps = {
  readonly networks: ServedNetworks
  readonly facilitator: FacilitatorClient
  /** The key whose orders the facilitator takes. */
  readonly orderSigner: Signer
  readonly time: Time
}

const readMs = 5_000
/** Below the lease that a duty holds on a row. */
const writeMs = 20_000

type Written = Awaited<ReturnType<RatingRelay['give']>>
type Prepared = Awaited<ReturnType<RatingRelay['prepare']>>

/** Ratings through the facilitator; what it sends is believed once the registry's own event is on chain. */
export function createRatingRelay(deps: RatingDeps): RatingRelay {
  const { networks, facilitator, time } = deps
  return {
    async prepare(terms, rater, now) {
      const network = networks.named(terms.network)
      const body = { x402Version: 1, network: terms.network, rater: lowerAddress(rater), feedback: feedbackOf(terms) }
      return readPrepared(
        await facilitator.post('/feedback/evm/prepare', body, { timeoutMs: readMs, network: terms.network }),
        {
          network,
          terms,
          rater: lowerAddress(rater),
          now,
        },
      )
    },
    async relay(rating, key) {
      const network = networks.named(rating.network)
      const rater = lowerAddress(rating.rater)
      const answer = await facilitator.post('/feedback/evm/submit', await submission(deps, rating, rater), {
        timeoutMs: writeMs,
        key,
        network: rating.network,
      })
      return judgeWrite({ network, time }, answer, expectRating(network, rating, rater))
    },
    async give(terms, key, paid) {
      const network = networks.named(terms.network)
      const feedback = { ...feedbackOf(terms), payment: await paymentOf(deps, terms.network, paid) }
      const answer = await facilitator.post(
        '/feedback',
        { x402Version: 1, network: terms.network, feedback },
        { timeoutMs: writeMs, key, network: terms.network },
      )
      return judgeWrite({ network, time }, answer, expectRating(network, terms, null))
    },
    async find(terms, author, since) {
      const network = networks.named(terms.network)
      const log = await network.chain.findLog(
        expectRating(network, terms, author === null ? null : lowerAddress(author)),
        since ?? undefined,
      )
      return log === undefined ? null : { txHash: log.transactionHash, blockNumber: log.blockNumber, ...shownBy(log) }
    },
    hashOf: (document) => keccak256Hex(document),
    summary: (network, agentId) => readSummary(deps, network, agentId),
    document(fields) {
      const bytes = utf8(canonicalJson(fields))
      return { bytes, hash: keccak256Hex(bytes) }
    },
  }
}

function feedbackOf(terms: RatingTerms): object {
  const { agentId, score, tag1, tag2, endpoint, feedbackUri, feedbackHash } = terms
  return { agentId, value: score, valueDecimals: 0, tag1, tag2, endpoint, feedbackUri, feedbackHash }
}

/** The payment behind a rating as the facilitator holds it against the chain. */
async function paymentOf(deps: RatingDeps, ratedOn: string, paid: PaidBehind): Promise<object> {
  const { txHash, asset, payer, payee, payment } = paid
  // A chain that is not served for now is another thing: its ratings wait for it.
  if (solanaTransaction.test(txHash)) return toldPayment(deps, ratedOn, paid)
  const network = deps.networks.named(asset.network)
  return {
    transactionHash: txHash,
    network: network.row.caip2,
    payer: lowerAddress(payment?.payer ?? payer),
    payee: lowerAddress(payment?.receiver ?? payee),
    token: lowerAddress(tokenOf(network, asset.symbol).address),
    ...(payment === null ? {} : { paymentInfo: paymentInfoToWire(paymentInfoOf(payment)) }),
  }
}

/** On Solana the sides have other addresses: who they are is said by the key whose orders count (decision 0344). */
async function toldPayment(
  { networks, orderSigner }: RatingDeps,
  ratedOn: string,
  { txHash: transactionHash, asset: { network }, payer, payee }: PaidBehind,
): Promise<object> {
  const sides = { network, payer: lowerAddress(payer), payee: lowerAddress(payee) }
  const document = ratedPaymentTypedData({ ...sides, transaction: transactionHash }, networks.named(ratedOn).chainId)
  const signature = await orderSigner.signTypedData(document)
  return { ...sides, transactionHash, word: { signer: lowerAddress(orderSigner.address), signature } }
}

async function submission(deps: RatingDeps, rating: PaidRating, rater: Address): Promise<object> {
  const { network, deadline, nonce, signature, authorization, paid } = rating
  return {
    x402Version: 1,
    network,
    rater,
    feedback: feedbackOf(rating),
    deadline,
    nonce,
    signature,
    payment: await paymentOf(deps, network, paid),
    ...(authorization === undefined ? {} : { authorization }),
  }
}

/**
 * The document's hash is last in the event, so that one rating is told from another of the same rater and agent.
 */
function expectRating(network: ServedNetwork, terms: RatingTerms, rater: Address | null): ExpectedEvent {
  return {
    ...expectFeedback(registriesOf(network).reputation, terms.agentId, rater),
    word: { index: 7, value: BigInt(terms.feedbackHash).toString() },
  }
}

type PrepareCase = {
  readonly network: ServedNetwork
  readonly terms: RatingTerms
  readonly rater: Address
  readonly now: Date
}

/**
 * What the rater signs is built here from the terms; of the facilitator's answer only nonce, deadline and account state
 * are taken.
 */
function readPrepared(answer: FacilitatorAnswer, { network, terms, rater, now }: PrepareCase): Prepared {
  if (answer.kind === 'refused') throw refusedPreparation(answer.code, terms.network)
  if (answer.kind !== 'done') throw new MarketError('RATING_UNAVAILABLE')
  const { deadline, nonce, delegated, accountNonce, digest } = fieldsOf(answer.body)
  const { reputation, ratingDelegate } = registriesOf(network)
  const seconds = Math.floor(now.getTime() / 1000)
  if (ratingDelegate === undefined) throw new MarketError('INVALID_REPUTATION_NETWORK', { network: terms.network })
  if (
    typeof deadline !== 'number' ||
    deadline > seconds + relayMaxAheadSec ||
    !isHex32(nonce) ||
    typeof delegated !== 'boolean' ||
    typeof accountNonce !== 'number'
  ) {
    throw new MarketError('RATING_UNAVAILABLE')
  }
  const { agentId, score, tag1, tag2, endpoint, feedbackUri, feedbackHash } = terms
  if (!isHex32(feedbackHash)) throw new MarketError('RATING_REFUSED', { reason: 'the feedback hash is not 32 bytes' })
  const message: RelayedGiveFeedback = {
    registry: lowerAddress(reputation),
    agentId: BigInt(agentId),
    value: BigInt(score),
    valueDecimals: 0,
    tag1,
    tag2,
    endpoint,
    feedbackURI: feedbackUri,
    feedbackHash,
    deadline,
    nonce,
  }
  const domain = { chainId: network.chainId, verifyingContract: rater }
  const own = bytesToHex(relayedGiveFeedbackDigest(domain, message))
  // Another digest means other terms or another registry: a signature over ours would be refused later.
  if (own !== digest) throw new MarketError('RATING_UNAVAILABLE')
  return {
    typedData: relayedGiveFeedbackTypedData(domain, message),
    digest: own,
    deadline,
    nonce,
    chainId: network.chainId,
    delegate: lowerAddress(ratingDelegate),
    delegated,
    accountNonce,
  }
}

function fieldsOf(body: Fields) {
  return {
    deadline: body['deadline'],
    nonce: body['nonce'],
    delegated: body['delegated'],
    accountNonce: body['accountNonce'],
    digest: body['digest'],
  }
}

function refusedPreparation(code: string, network: string): MarketError {
  const takesNone = code === 'UnsupportedNetwork' || code === 'relay_no_delegate'
  return takesNone
    ? new MarketError('INVALID_REPUTATION_NETWORK', { network })
    : new MarketError('RATING_REFUSED', { facilitator_code: cutText(code, 64) })
}

async function judgeWrite(
  { network, time }: { readonly network: ServedNetwork; readonly time: Time },
  answer: FacilitatorAnswer,
  expected: ExpectedEvent,
): Promise<Written> {
  if (answer.kind === 'unavailable') {
    const { sent, spentForSec } = answer
    return { outcome: 'unavailable', sent, ...(spentForSec === undefined ? {} : { spentForSec }) }
  }
  if (answer.kind === 'unknown')
    return { outcome: 'unknown', ...(answer.txHash === undefined ? {} : { txHash: answer.txHash }) }
  const { txHash } = hashIn(answer.body)
  if (answer.kind === 'refused') return judgeRefusal(network, answer, expected)
  if (txHash === undefined) return { outcome: 'unknown' }
  const confirmed = await confirm({ network, txHash, until: time.monotonic(), time }, [expected])
  return { ...confirmed.answer, ...shownBy(confirmed.logs[0]) }
}

/** It may be on chain from an earlier attempt; the chain is asked before the verdict counts. */
async function judgeRefusal(
  network: ServedNetwork,
  { code, final, at }: Extract<FacilitatorAnswer, { readonly kind: 'refused' }>,
  expected: ExpectedEvent,
): Promise<Written> {
  try {
    const log = await network.chain.findLog(expected)
    if (log !== undefined) return { outcome: 'settled', ...landedBy(log), ...shownBy(log) }
  } catch (error) {
    if (!(error instanceof MarketError)) throw error
    return { outcome: 'unknown' }
  }
  const mayHaveLanded = code === 'relay_nonce_already_used' || code === 'idempotency_key_conflict'
  return mayHaveLanded
    ? { outcome: 'unknown' }
    : { outcome: 'refused', code: 'RATING_REFUSED', details: { facilitator_code: cutText(code, 64) }, final, at }
}

function shownBy(log: ChainLog | undefined): { readonly feedbackIndex?: number; readonly author?: string } {
  // The second indexed value is the client: who wrote the rating.
  const author = log?.topics[2]
  return { ...indexIn(log?.data), ...(author === undefined ? {} : { author: `0x${author.slice(26)}` }) }
}

function indexIn(data: string | undefined): { readonly feedbackIndex?: number } {
  const index = wordAt(data, 0)
  return index === undefined ? {} : { feedbackIndex: Number(index) }
}

async function readSummary(
  { networks, facilitator }: RatingDeps,
  name: string,
  agentId: number,
): ReturnType<RatingRelay['summary']> {
  const network = networks.named(name)
  const answer = await facilitator.get(`/reputation/${encodeURIComponent(name)}/${String(agentId)}`, readMs, name)
  if (answer.kind === 'refused' && answer.status === 404) throw new MarketError('IDENTITY_NOT_FOUND')
  const summary = answer.kind === 'done' ? answer.body['summary'] : undefined
  // Each member is checked below.
  const { count, summaryValue, summaryValueDecimals: decimals } = (summary ?? {}) as Fields
  if (
    typeof count !== 'number' ||
    typeof summaryValue !== 'string' ||
    !/^-?[0-9]{1,39}$/.test(summaryValue) ||
    typeof decimals !== 'number'
  ) {
    throw new MarketError('CHAIN_UNAVAILABLE', { network: name })
  }
  if (count === 0) {
    await requireAgent(network, agentId)
    return { mean: null, count }
  }
  return { mean: Number(summaryValue) / 10 ** decimals, count }
}

/** The reputation registry knows no difference between an agent nobody rated and none at all. */
async function requireAgent(network: ServedNetwork, agentId: number): Promise<void> {
  const [answer] = await network.rpc
    .batch([
      {
        method: 'eth_call',
        params: [{ to: registriesOf(network).identity, data: ownerOfCalldata(agentId) }, 'latest'],
      },
    ])
    .catch((cause: unknown) => {
      throw new MarketError('CHAIN_UNAVAILABLE', { network: network.row.name }, { cause })
    })
  if (answer?.error === undefined) return
  const isVerdict = answer.error.code === 3 || /revert/i.test(answer.error.message)
  throw new MarketError(isVerdict ? 'IDENTITY_NOT_FOUND' : 'CHAIN_UNAVAILABLE', { network: network.row.name })
}

import {
  hashTypedData,
  bytesToHex,
  relayedGiveFeedbackTypedData,
  type RelayedGiveFeedback,
  type SignedAuthorization,
  type Signer,
  type TypedData,
} from '@ergon/protocols'
import { addressOf, knownNetwork, requireSigner, type Trust } from './agreement.ts'
import {
  ChallengeMismatch,
  requireAddress,
  requireSame,
  requireSameDocument,
  understood,
} from './challenge-mismatch.ts'
import type { Input, OperationsClient, Output } from './client.ts'
import { ErgonError } from './ergon-error.ts'

export type RateInput = Input<'reputation.prepare'> & {
  /** The ERC-8004 id of the rated party, from the caller's own records. */
  readonly ratee_agent_id?: number
}

type Prepared = Output<'reputation.prepare'>
type Scene = {
  readonly prepared: Prepared
  readonly input: RateInput
  readonly signer: Signer
  readonly registry: `0x${string}`
  readonly delegate: `0x${string}`
  readonly chainId: number
}

/** Waits for the number of an agent that was registered a moment ago, as long as for a payment under way. */
async function onceSettled<T>({ transport }: OperationsClient, ask: () => Promise<T>): Promise<T> {
  const deadline = transport.now() + transport.patienceMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const isSettling =
        error instanceof ErgonError && error.is('RATING_UNAVAILABLE') && error.details['is_settled'] === false
      if (!isSettling || transport.now() >= deadline) throw error
      await transport.wait((error.retryAfterSec ?? 2) * 1_000)
    }
  }
}

/**
 * Rates the other party: the author on chain is this wallet, and the relayer pays the gas. Prepares the rating, holds
 * it against what was asked, signs it (with an EIP-7702 authorization when the account runs no delegate yet) and
 * submits it.
 *
 * @throws ChallengeMismatch when the document is about anything else; nothing is signed then.
 */
export async function rate(trust: Trust, input: RateInput): Promise<Output<'reputation.submit'>> {
  const { client, networks } = trust
  const signer = requireSigner(client)
  const { ratee_agent_id: _, ...fields } = input
  const prepared = await onceSettled(client, () => client.reputation.prepare(fields))
  const network = knownNetwork(networks, prepared.network)
  const registry = addressOf('reputation registry', network.erc8004?.reputation)
  // Whoever is named here may act as this account from then on: only the delegate of our own table will do.
  const delegate = addressOf('rating delegate', network.erc8004?.ratingDelegate)
  const scene = { prepared, input, signer, registry, delegate, chainId: network.chainId }
  const document = understood(() => checkedDocument(scene, Math.floor(client.transport.now() / 1_000)))
  const authorization = prepared.delegated
    ? undefined
    : await delegateAccount(signer, network.chainId, delegate, prepared.account_nonce)
  const {
    task_id,
    direction,
    score,
    network: name,
    ratee_agent_id,
    rater_wallet,
    deadline,
    nonce,
    tag1,
    tag2,
    endpoint,
    feedback_uri,
    feedback_hash,
  } = prepared
  return client.reputation.submit({
    task_id,
    direction,
    score,
    network: name,
    ratee_agent_id,
    rater_wallet,
    deadline,
    nonce,
    tag1,
    tag2,
    endpoint,
    feedback_uri,
    feedback_hash,
    signature: await signer.signTypedData(document),
    ...(authorization === undefined ? {} : { authorization }),
  })
}

const longestValiditySec = 900

function checkedDocument(scene: Scene, now: number): TypedData {
  const { prepared, input, signer, registry, delegate, chainId } = scene
  requireSame('task', input.task_id, prepared.task_id)
  requireSame('direction', input.direction, prepared.direction)
  requireSame('score', input.score, prepared.score)
  requireSame('chain', chainId, prepared.chain_id)
  requireAddress('rater', signer.address, prepared.rater_wallet)
  requireAddress('rating delegate', delegate, prepared.delegate)
  if (input.ratee_agent_id !== undefined) requireSame('rated agent', input.ratee_agent_id, prepared.ratee_agent_id)
  if (prepared.deadline <= now || prepared.deadline > now + longestValiditySec)
    throw new ChallengeMismatch('expiry', `within ${longestValiditySec} s`, prepared.deadline)
  const document = relayedGiveFeedbackTypedData(
    { chainId, verifyingContract: signer.address },
    feedbackOf(prepared, registry),
  )
  requireSameDocument(document, prepared.typed_data)
  requireSame('digest', bytesToHex(hashTypedData(document)), prepared.digest)
  return document
}

function feedbackOf(prepared: Prepared, registry: `0x${string}`): RelayedGiveFeedback {
  return {
    registry,
    agentId: BigInt(prepared.ratee_agent_id),
    value: BigInt(prepared.score),
    valueDecimals: 0,
    tag1: prepared.tag1,
    tag2: prepared.tag2,
    endpoint: prepared.endpoint,
    feedbackURI: prepared.feedback_uri,
    feedbackHash: hex(prepared.feedback_hash),
    deadline: prepared.deadline,
    nonce: hex(prepared.nonce),
  }
}

async function delegateAccount(
  signer: Signer,
  chainId: number,
  delegate: `0x${string}`,
  nonce: number,
): Promise<SignedAuthorization> {
  if (signer.signAuthorization === undefined)
    throw new TypeError('this wallet cannot sign the EIP-7702 authorization that a first rating needs')
  return signer.signAuthorization({ chainId, address: delegate, nonce })
}

function hex(text: string): `0x${string}` {
  if (!/^0x[0-9a-f]{64}$/i.test(text)) throw new ChallengeMismatch('hash', '32 bytes', text)
  // The pattern above is the type.
  return text as `0x${string}`
}

import {
  bytesToHex,
  keccak256Hex,
  transferWithAuthorizationTypedData,
  utf8,
  type Hex,
  type TransferAuthorization,
} from '@ergon/protocols'
import { addressOf, knownToken, requireSigner, type Trust } from './agreement.ts'
import { poll, sent } from './await-settlement.ts'
import { catalogueError } from './catalogue-error.ts'
import type { OperationsClient, Output } from './client.ts'
import { ErgonError, isErrorCode, SettlementPending } from './ergon-error.ts'
import { contentKey } from './idempotency-key.ts'
import { atomicOf } from './money.ts'

/** `amount_usd` leaves the wallet whole. */
export type CashOutInput = {
  readonly network: string
  readonly token: string
  readonly to: string
  readonly amount_usd: number
  /** The caller's own name for this cash-out: the same words under the same name are one, however often it is asked. */
  readonly client_ref?: string
}

type Words = Omit<CashOutInput, 'client_ref'>
type CashOut = Output<'cashOuts.send'>

/** Long enough for a slow chain, and over soon. */
const validSec = 300
/** Cash-outs of one name that came to nothing, before the last of them is believed. */
const generations = 8

/**
 * Signs one transfer (EIP-3009) of the wallet's own making, over the token of our own table, and waits until it is on
 * chain. Nothing is signed twice: whatever becomes of the call, it is the nonce that is asked for.
 *
 * Still `sending` after the client's patience: read it by its nonce until it has ended, and sign nothing else before.
 * Making the same call again would sign, and perhaps send, once more, unless it has a `client_ref`: then the nonce is
 * made of the words and that name, and the call answers what became of the first, also from another process or tab.
 */
export async function cashOut(trust: Trust, { client_ref: ref, ...words }: CashOutInput): Promise<CashOut> {
  if (ref === undefined) return send(trust, words, freshNonce())
  const wallet = requireSigner(trust.client).address
  for (let generation = 0; ; generation += 1) {
    const nonce = nonceOf(wallet, words, ref, generation)
    const earlier = await read(trust.client, nonce)
    // What came to nothing was told to whoever asked for it then, and may be asked for anew.
    if (earlier?.status !== 'not_sent') return earlier === undefined ? send(trust, words, nonce) : ended(trust, earlier)
    if (generation + 1 >= generations) throw reasonOf(earlier)
  }
}

async function send(trust: Trust, words: Words, nonce: Hex): Promise<CashOut> {
  const { client } = trust
  const signer = requireSigner(client)
  const { token, decimals } = knownToken(trust.networks, words.network, words.token)
  const until = Math.floor(client.transport.now() / 1_000) + validSec
  const authorization: TransferAuthorization = {
    from: signer.address,
    to: addressOf('to', words.to),
    value: atomicOf(words.amount_usd, decimals),
    validAfter: 0n,
    validBefore: BigInt(until),
    nonce,
  }
  const signature = await signer.signTypedData(transferWithAuthorizationTypedData(token, authorization))
  const call = client.call('cashOuts.send', { ...words, valid_before: until, nonce, signature })
  const told = await sent(call, 'IDEMPOTENCY_IN_FLIGHT').catch(async (error: unknown) => {
    // A twin of this call signed the same nonce until another second, and was first.
    const twin = isNonceTaken(error) ? await read(client, nonce) : undefined
    if (twin === undefined) throw error
    return { answer: { data: twin } }
  })
  return ended(
    trust,
    'answer' in told ? told.answer.data : unheard(words, { nonce, until, now: client.transport.now() }),
  )
}

/** What became of it, as far as the client has the patience. */
async function ended({ client }: Trust, begun: CashOut): Promise<CashOut> {
  if (begun.status === 'not_sent') throw reasonOf(begun)
  if (begun.status === 'sent') return begun
  const { nonce } = begun
  try {
    // Nobody is told of the task: what is pending is answered below.
    const pending = { taskId: '', subject: `the cash-out ${nonce}`, idempotencyKey: undefined }
    // A call that nobody heard of may still be on its way.
    return await poll(client, pending, async () => endOf(await read(client, nonce)))
  } catch (error) {
    if (error instanceof SettlementPending) return begun
    throw error
  }
}

/** Nobody knows whether the service heard of it; it may have begun. */
function unheard(
  words: Words,
  { nonce, until, now }: { readonly nonce: Hex; readonly until: number; readonly now: number },
): CashOut {
  const created_at = new Date(now).toISOString()
  return { ...words, nonce, status: 'sending', tx: null, reason: null, valid_before: until, created_at }
}

async function read(client: OperationsClient, nonce: string): Promise<CashOut | undefined> {
  try {
    return await client.cashOuts.get({ nonce })
  } catch (error) {
    if (error instanceof ErgonError && error.is('NOT_FOUND')) return undefined
    throw error
  }
}

function endOf(one: CashOut | undefined): CashOut | ErgonError | undefined {
  if (one === undefined || one.status === 'sending') return undefined
  return one.status === 'sent' ? one : reasonOf(one)
}

function reasonOf({ reason, nonce }: CashOut): ErgonError {
  const code = reason ?? ''
  return catalogueError(isErrorCode(code) ? code : 'SETTLEMENT_FAILED', { nonce })
}

const isNonceTaken = (error: unknown): boolean => error instanceof ErgonError && error.is('PAYMENT_AUTH_USED')

/** The same words under the same name have the same nonce on any machine, as keys of calls are made (decision 0070). */
function nonceOf(wallet: string, words: Words, clientRef: string, generation: number): Hex {
  const input = { ...words, to: words.to.toLowerCase() }
  const text = contentKey({ wallet, operation: 'cashOuts.send', input, clientRef, generation })
  return keccak256Hex(utf8(text))
}

function freshNonce(): Hex {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
}

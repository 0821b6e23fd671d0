import { bytesToHex, transferWithAuthorizationTypedData, type Hex, type TransferAuthorization } from '@ergon/protocols'
import { addressOf, knownToken, requireSigner, type Trust } from './agreement.ts'
import { poll, sent } from './await-settlement.ts'
import { catalogueError } from './catalogue-error.ts'
import type { OperationsClient, Output } from './client.ts'
import { ErgonError, isErrorCode, SettlementPending } from './ergon-error.ts'
import { atomicOf } from './money.ts'

/** `amount_usd` leaves the wallet whole. */
export type CashOutInput = {
  readonly network: string
  readonly token: string
  readonly to: string
  readonly amount_usd: number
}

type CashOut = Output<'cashOuts.send'>

/** Long enough for a slow chain, and over soon. */
const validSec = 300

/**
 * Signs one transfer (EIP-3009) of the wallet's own making, over the token of our own table, and waits until it is on
 * chain. Nothing is signed twice: whatever becomes of the call, it is the nonce that is asked for.
 *
 * Still `sending` after the client's patience: read it by its nonce until it has ended, and sign nothing else before.
 * Making the same call again would sign, and perhaps send, once more.
 */
export async function cashOut(trust: Trust, input: CashOutInput): Promise<CashOut> {
  const { client } = trust
  const signer = requireSigner(client)
  const { token, decimals } = knownToken(trust.networks, input.network, input.token)
  const until = Math.floor(client.transport.now() / 1_000) + validSec
  const nonce = freshNonce()
  const authorization: TransferAuthorization = {
    from: signer.address,
    to: addressOf('to', input.to),
    value: atomicOf(input.amount_usd, decimals),
    validAfter: 0n,
    validBefore: BigInt(until),
    nonce,
  }
  const signature = await signer.signTypedData(transferWithAuthorizationTypedData(token, authorization))
  const call = await sent(
    client.call('cashOuts.send', { ...input, valid_before: until, nonce, signature }),
    'IDEMPOTENCY_IN_FLIGHT',
  )
  const begun = 'answer' in call ? call.answer.data : unheard(input, { nonce, until, now: client.transport.now() })
  if (begun.status !== 'sending') return begun
  try {
    // Nobody is told of the task: what is pending is answered below.
    const pending = { taskId: '', subject: `the cash-out ${nonce}`, idempotencyKey: undefined }
    return await poll(client, pending, () => found(client, nonce))
  } catch (error) {
    if (error instanceof SettlementPending) return begun
    throw error
  }
}

/** Nobody knows whether the service heard of it; it may have begun. */
function unheard(
  input: CashOutInput,
  { nonce, until, now }: { readonly nonce: Hex; readonly until: number; readonly now: number },
): CashOut {
  const created_at = new Date(now).toISOString()
  return { ...input, nonce, status: 'sending', tx: null, reason: null, valid_before: until, created_at }
}

async function found(client: OperationsClient, nonce: Hex): Promise<CashOut | ErgonError | undefined> {
  try {
    return endOf(await client.cashOuts.get({ nonce }))
  } catch (error) {
    // A call that nobody heard of may still be on its way.
    if (error instanceof ErgonError && error.is('NOT_FOUND')) return undefined
    throw error
  }
}

function endOf(one: CashOut): CashOut | ErgonError | undefined {
  if (one.status === 'sending') return undefined
  if (one.status === 'sent') return one
  const code = one.reason ?? ''
  return catalogueError(isErrorCode(code) ? code : 'SETTLEMENT_FAILED', { nonce: one.nonce })
}

function freshNonce(): Hex {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
}

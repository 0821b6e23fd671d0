import { MarketError, type DirectPayment, type SignedTransfer } from '@ergon/core'
import {
  isAddress,
  lowerAddress,
  sameAddress,
  toChecksumAddress,
  zeroAddress,
  type Address,
  type Hex,
  type TransferAuthorization,
} from '@ergon/protocols'
import type { ServedNetwork } from '../networks.ts'
import { isSigned } from './direct-payment.ts'
import { domainOf, walletOf } from './payment-terms.ts'
import type { SignatureDeps } from './signature-deps.ts'

/** A transfer to an address of its payer's choice (decision 0249), good from the start. */
export async function readCashOut(deps: SignatureDeps, signed: SignedTransfer): Promise<DirectPayment> {
  const { amount, validBefore, signature } = signed
  const network = deps.networks.named(signed.network)
  const token = domainOf(network, amount)
  const from = walletOf(signed.from)
  const to = destinationOf(signed.to)
  if (sameAddress(from, to)) throw new MarketError('SELF_PAYMENT_BLOCKED')
  if (swallows(network, to))
    throw new MarketError('FORBIDDEN_RECEIVER', {}, { message: 'Money that is sent to this address is lost.' })
  const nonce = signed.nonce as Hex // 32 bytes in hex, as the operation's input says
  const authorization: TransferAuthorization = { from, to, value: amount.atomic, validAfter: 0n, validBefore, nonce }
  if (!(await isSigned(deps, token, authorization, signature as Hex))) throw new MarketError('INVALID_SIGNATURE')
  return {
    ...{ network: signed.network, amount, token: token.verifyingContract, from, to },
    ...{ validAfter: 0n, validBefore, nonce, signature },
  }
}

/** In one case an address has no checksum; in both it has one (EIP-55). */
function destinationOf(text: string): Address {
  const isMixed = /[a-f]/.test(text) && /[A-F]/.test(text)
  if (isAddress(text) && (!isMixed || toChecksumAddress(text) === text)) return lowerAddress(text)
  throw new MarketError(
    'VALIDATION_FAILED',
    { field: 'to', constraint: 'an address whose checksum fits (EIP-55)' },
    { message: 'A letter of this address is wrong.' },
  )
}

/** Whether nobody could move what arrives there. */
function swallows({ row }: ServedNetwork, to: Address): boolean {
  const { escrow, tokens } = row
  const contracts = [
    zeroAddress,
    ...Object.values(tokens).map(({ address }) => address),
    ...(escrow === undefined ? [] : [escrow.escrow, escrow.operator, escrow.collector]),
  ]
  return contracts.some((one) => sameAddress(lowerAddress(one), to))
}

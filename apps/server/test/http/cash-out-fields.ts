import { randomBytes } from 'node:crypto'
import { localAddresses, localChainId } from '@ergon/contracts'
import {
  transferWithAuthorizationTypedData,
  type Address,
  type Hex,
  type TransferAuthorization,
} from '@ergon/protocols'
import type { Party } from './live-market.ts'

/** The test dollar, as its wallets sign for it. */
const token = { name: 'USD Coin', version: '2', chainId: localChainId, verifyingContract: localAddresses.TestUSD }

export type CashOutWish = {
  readonly to: string
  readonly usd?: number
  readonly validForSec?: number
  readonly nonce?: Hex
  /** Who signs, where it is not the caller. */
  readonly signer?: Party['signer']
}

export type CashOutFields = {
  readonly network: string
  readonly token: string
  readonly to: string
  readonly amount_usd: number
  readonly valid_before: number
  readonly nonce: Hex
  readonly signature: Hex
}

export function authorizationOf(
  from: Address,
  fields: Pick<CashOutFields, 'to' | 'amount_usd' | 'valid_before' | 'nonce'>,
): TransferAuthorization {
  return {
    from,
    to: fields.to.toLowerCase() as Address, // an address in one case
    value: BigInt(Math.round(fields.amount_usd * 1_000_000)),
    validAfter: 0n,
    validBefore: BigInt(fields.valid_before),
    nonce: fields.nonce,
  }
}

/** What a wallet sends to have money sent on without gas. */
export async function cashOutFields(party: Pick<Party, 'signer'>, wish: CashOutWish): Promise<CashOutFields> {
  const fields = {
    network: 'localnet',
    token: 'USDC',
    to: wish.to,
    amount_usd: wish.usd ?? 1,
    valid_before: Math.floor(Date.now() / 1_000) + (wish.validForSec ?? 300),
    nonce: wish.nonce ?? (`0x${randomBytes(32).toString('hex')}` as const),
  }
  const signer = wish.signer ?? party.signer
  const document = transferWithAuthorizationTypedData(token, authorizationOf(party.signer.address, fields))
  return { ...fields, signature: await signer.signTypedData(document) }
}

import { ChallengeMismatch, type Client, type Output } from '@ergon/sdk'
import { networks, readTransferAuthorization, transferWithAuthorizationTypedData, type TokenDomain } from '@ergon/protocols'
import type { OwedFee } from './owed-fee.ts'

/** A transfer that could be submitted much later would be a debt nobody remembers; the clock of the service need not be ours. */
const longestSec = 3_660

/**
 * Pays a fee that is owed with one signature: over this amount of this token from this wallet, and for an hour at most.
 * Undefined where what was signed before may still be carried out, so that nothing is signed.
 *
 * @throws ChallengeMismatch when the service asks for anything else
 */
export async function payFee(client: Client, fee: OwedFee): Promise<Output<'payments.payFee'> | undefined> {
  const { signer } = client
  if (signer === undefined) throw new TypeError('paying needs a wallet')
  const { settlement_auth_fee: offer } = await client.payments.feeChallenge({ task_id: fee.taskId })
  if (offer === null) return undefined
  const { token, decimals } = tokenOf(fee)
  // An object's members, each still unknown.
  const payload = offer.envelope['payload'] as Readonly<Record<string, unknown>> | undefined
  const authorization = readTransferAuthorization(payload?.['authorization'], 'authorization')
  require('payer', fee.wallet.toLowerCase(), authorization.from.toLowerCase())
  require('amount', BigInt(Math.round(fee.amountUsd * 10 ** decimals)), authorization.value)
  const nowSec = Math.floor(client.transport.now() / 1_000)
  const until = Number(authorization.validBefore)
  if (!(until > nowSec && until <= nowSec + longestSec)) throw new ChallengeMismatch('expiry', `within ${String(longestSec)} s`, until)
  const signature = await signer.signTypedData(transferWithAuthorizationTypedData(token, authorization))
  return client.payments.payFee({ task_id: fee.taskId, settlement_auth_fee: JSON.stringify({ ...offer.envelope, payload: { ...payload, signature } }) })
}

function require(term: string, agreed: string | bigint, asked: string | bigint): void {
  if (agreed !== asked) throw new ChallengeMismatch(term, agreed, asked)
}

/** The token by our own table: what is signed is not what the service says of it. */
function tokenOf({ network: name, token: symbol }: OwedFee): { readonly token: TokenDomain; readonly decimals: number } {
  const network = Object.values(networks).find((one) => one.name === name)
  const token = Object.values(network?.tokens ?? {}).find((one) => one.symbol === symbol)
  if (network?.chainId === undefined || token === undefined) throw new ChallengeMismatch('token', 'a token of the table', `${symbol} on ${name}`)
  // The table holds addresses.
  return { token: { name: token.name, version: token.version, chainId: network.chainId, verifyingContract: token.address as TokenDomain['verifyingContract'] }, decimals: token.decimals }
}

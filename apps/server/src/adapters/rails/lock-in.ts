import type { SeenLock } from '@ergon/core'
import { authorizationNonce, lowerAddress, paymentInfoHash, sameAddress, wordAt, type Address } from '@ergon/protocols'
import type { ChainLog } from '../chain/log-search.ts'
import { escrowOf, type ServedNetwork } from '../networks.ts'
import { feeBps } from '../signatures/payment-terms.ts'

/**
 * The terms that `PaymentAuthorized` repeats, as the authorization they came from, without its signature. Null unless
 * they are terms we ask for: a token of ours, the fee of the platform for the operator, and the hash that they have.
 */
export function lockIn({ data }: Pick<ChainLog, 'data'>, network: ServedNetwork, hash: string): SeenLock | null {
  const words = Array.from({ length: 12 }, (_, index) => wordAt(data, index) ?? 0n)
  const [operator = 0n, payer = 0n, receiver = 0n, token = 0n, maxAmount = 0n, ...rest] = words
  const [preApproval = 0n, authorization = 0n, refund = 0n, minFee = 0n, maxFee = 0n, feeReceiver = 0n, salt = 0n] =
    rest
  const { escrow, operator: ours } = escrowOf(network)
  const asset = Object.values(network.row.tokens).find(({ address }) => BigInt(address) === token)
  const admitsFee = minFee <= BigInt(feeBps) && maxFee >= BigInt(feeBps) && maxFee <= 10_000n
  if (asset === undefined || !admitsFee || !sameAddress(addressOf(feeReceiver), ours)) return null
  const info = {
    operator: addressOf(operator),
    payer: addressOf(payer),
    receiver: addressOf(receiver),
    token: addressOf(token),
    maxAmount,
    preApprovalExpiry: Number(preApproval),
    authorizationExpiry: Number(authorization),
    refundExpiry: Number(refund),
    minFeeBps: Number(minFee),
    maxFeeBps: Number(maxFee),
    feeReceiver: addressOf(feeReceiver),
    salt,
  }
  if (paymentInfoHash(info, network.chainId, escrow) !== hash) return null
  return {
    payment: {
      ...info,
      network: network.row.name,
      asset: { symbol: asset.symbol, network: network.row.name, decimals: asset.decimals },
      hash,
    },
    authorization: {
      validAfter: 0n,
      validBefore: preApproval,
      nonce: authorizationNonce(info, network.chainId, escrow),
      signature: '0x',
    },
  }
}

function addressOf(word: bigint): Address {
  return lowerAddress(`0x${word.toString(16).padStart(40, '0')}`)
}

import { hexToBytes, keccak256, recoverAddress, type Address, type SignedAuthorization } from '@ergon/protocols'
import { rlpEncode, rlpInteger } from '../chain/rlp.ts'
import { readAddress, readHex32, readInteger, readRecord } from '../wire/read.ts'

const keys = ['chainId', 'address', 'nonce', 'yParity', 'r', 's']

export function readDelegation(value: unknown): SignedAuthorization | undefined {
  if (value === undefined || value === null) return undefined
  const record = readRecord(value, 'authorization', keys)
  return {
    chainId: readInteger(record['chainId'], 'authorization.chainId'),
    address: readAddress(record['address'], 'authorization.address'),
    nonce: readInteger(record['nonce'], 'authorization.nonce'),
    yParity: readInteger(record['yParity'], 'authorization.yParity', 1) === 1 ? 1 : 0,
    r: readHex32(record['r'], 'authorization.r'),
    s: readHex32(record['s'], 'authorization.s'),
  }
}

export type DelegationTerms = {
  readonly rater: Address
  readonly delegate: Address
  readonly chainId: number
  readonly accountNonce: number
}

/**
 * An authorization that a node would skip is skipped silently, and the call then reaches an account without code, which
 * succeeds and does nothing (EIP-7702): so each term is checked here.
 */
export function judgeAuthorization(
  authorization: SignedAuthorization | undefined,
  terms: DelegationTerms,
): string | undefined {
  if (authorization === undefined) return 'relay_missing_authorization'
  if (authorization.address !== terms.delegate) return 'relay_authorization_wrong_delegate'
  if (authorization.chainId !== terms.chainId) return 'relay_authorization_wrong_chain'
  if (authorization.nonce !== terms.accountNonce) return 'relay_authorization_wrong_nonce'
  return signerOf(authorization) === terms.rater ? undefined : 'relay_authorization_not_by_rater'
}

function signerOf(authorization: SignedAuthorization): string | undefined {
  const payload = rlpEncode([
    rlpInteger(authorization.chainId),
    hexToBytes(authorization.address),
    rlpInteger(authorization.nonce),
  ])
  const digest = keccak256(Buffer.concat([Uint8Array.of(5), payload]))
  const signature = Buffer.concat([
    hexToBytes(authorization.r),
    hexToBytes(authorization.s),
    Uint8Array.of(27 + authorization.yParity),
  ])
  return recoverAddress(digest, signature)?.toLowerCase()
}

import type { Hex, TransferAuthorization } from '@ergon/protocols'
import { readAddress, readHex, readHex32, readRecord, readUint } from './read.ts'

const keys = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce']

export function readAuthorization(value: unknown): TransferAuthorization {
  const record = readRecord(value, 'payload.authorization', keys)
  return {
    from: readAddress(record['from'], 'authorization.from'),
    to: readAddress(record['to'], 'authorization.to'),
    value: readUint(record['value'], 'authorization.value'),
    validAfter: readUint(record['validAfter'], 'authorization.validAfter'),
    validBefore: readUint(record['validBefore'], 'authorization.validBefore'),
    nonce: readHex32(record['nonce'], 'authorization.nonce'),
  }
}

/** Contract wallets answer for signatures of their own making, so the length is theirs; the limit is ours. */
export function readSignature(value: unknown): Hex {
  return readHex(value, 'payload.signature', 8_192)
}

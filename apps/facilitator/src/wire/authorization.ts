import { unwrapSignature, type Address, type Hex, type TransferAuthorization } from '@ergon/protocols'
import { readAddress, readHex, readHex32, readRecord, readUint, refusing } from './read.ts'

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

/** The wrapper of a signature (ERC-6492): the factory it calls, and all of it as it came. */
export type Wrapper = { readonly factory: Address; readonly whole: Hex }
export type SignatureRead = { readonly signature: Hex; readonly wrapper?: Wrapper }

/** Contract wallets answer for signatures of their own making, so the length is theirs; the limit is ours. */
export function readSignature(value: unknown): SignatureRead {
  const whole = readHex(value, 'payload.signature', 8_192)
  const wrapped = refusing(() => unwrapSignature(whole))
  return wrapped === undefined
    ? { signature: whole }
    : { signature: wrapped.signature, wrapper: { factory: wrapped.factory, whole } }
}

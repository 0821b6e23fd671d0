import { isSolanaAddress } from '@ergon/channels'
import { fromBase58 } from '@ergon/protocols'
import { wrongParams } from './rpc-fault.ts'

/** The positional parameters of a call, read one by one. */
export type Params = readonly unknown[]
export type Settings = Readonly<Record<string, unknown>>

export function addressAt(params: Params, index: number): string {
  const value = params[index]
  if (!isSolanaAddress(value)) throw wrongParams(`parameter ${index + 1} is an address in base58`)
  return value
}

export function textAt(params: Params, index: number): string {
  const value = params[index]
  if (typeof value !== 'string') throw wrongParams(`parameter ${index + 1} is a text`)
  return value
}

/** A count of 0 or more. */
export function countAt(params: Params, index: number): number {
  const value = params[index]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw wrongParams(`parameter ${index + 1} is a whole number of 0 or more`)
  return value
}

/** The object of settings that may end a call. */
export function settingsAt(params: Params, index: number): Settings {
  const value = params[index] ?? {}
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongParams(`parameter ${index + 1} is an object`)
  // Its fields are read as unknown.
  return value as Settings
}

export function signaturesAt(params: Params, index: number, most: number): readonly string[] {
  const value = params[index]
  if (!Array.isArray(value) || value.length > most || !value.every(isSignature))
    throw wrongParams(`parameter ${index + 1} is a list of at most ${most} signatures in base58`)
  return value
}

export function signatureAt(params: Params, index: number): string {
  const value = params[index]
  if (!isSignature(value)) throw wrongParams(`parameter ${index + 1} is a signature in base58`)
  return value
}

function isSignature(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(value)) return false
  return fromBase58(value).length === 64
}

/** The bytes of a transaction: base58 unless the settings name base64. */
export function transactionAt(params: Params, index: number, { encoding = 'base58' }: Settings): Uint8Array {
  const text = textAt(params, index)
  if (text.length > 1_700) throw wrongParams('a transaction has at most 1232 bytes')
  if (encoding === 'base64') {
    const bytes = Buffer.from(text, 'base64')
    if (bytes.toString('base64') !== text) throw wrongParams('the transaction is not in base64')
    return new Uint8Array(bytes)
  }
  if (encoding !== 'base58') throw wrongParams('a transaction is in base58 or base64')
  throw wrongParams('send transactions with { "encoding": "base64" }: base58 of such length is not read here')
}

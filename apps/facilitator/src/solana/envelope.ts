import { Refusal } from '../errors.ts'
import { readOpenRecord, readOptionalText, readText, readUint } from '../wire/read.ts'
import { readOptionalAddress } from './read-address.ts'

export type SolanaRequirements = {
  readonly network: string | undefined
  readonly asset: string | undefined
  readonly payTo: string | undefined
  readonly amount: bigint | undefined
  readonly feePayer: string | undefined
  readonly memo: string | undefined
}

/** A body of verify or settle of x402, version 1 or 2, as far as Solana goes. */
export type SolanaEnvelope = {
  readonly scheme: string
  readonly requirements: SolanaRequirements
  /** Base64. */
  readonly transaction: string
}

const mostTransactionChars = 2_048

/** The network a body names, whatever else is wrong with it: it decides who reads the rest. */
export function networkNameIn(value: unknown): string | undefined {
  const at = (record: unknown, ...keys: readonly string[]): unknown =>
    keys.reduce<unknown>(
      // A key of an object is asked for, and an object's fields are read as unknown.
      (found, key) =>
        typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined,
      record,
    )
  const named = [
    at(value, 'paymentRequirements', 'network'),
    at(value, 'paymentPayload', 'accepted', 'network'),
    at(value, 'paymentPayload', 'network'),
    at(value, 'accepted', 'network'),
    at(value, 'network'),
  ].find((name) => name !== undefined)
  return typeof named === 'string' ? named : undefined
}

export function readSolanaEnvelope(value: unknown): SolanaEnvelope {
  const body = readOpenRecord(value, 'body')
  const version = body['x402Version']
  if (version !== 1 && version !== 2) throw new Refusal('invalid_x402_version', 'x402Version must be 1 or 2')
  // Out of the PAYMENT-SIGNATURE header comes the payload without what holds it.
  const paid = readOpenRecord(body['paymentPayload'] ?? body, 'paymentPayload')
  const accepted = paid['accepted'] === undefined ? undefined : readRequirements(paid['accepted'], 'accepted')
  const asked = readRequirements(body['paymentRequirements'] ?? paid['accepted'], 'paymentRequirements')
  // What the payer accepted is what the seller asked for.
  const sides: readonly { readonly scheme?: unknown; readonly network?: unknown }[] = [
    accepted ?? {},
    { scheme: paid['scheme'], network: paid['network'] },
  ]
  for (const { scheme, network } of sides) {
    if (scheme !== undefined && scheme !== asked.scheme) throw mismatch('scheme')
    if (network !== undefined && network !== asked.network) throw mismatch('network')
  }
  const payload = readOpenRecord(paid['payload'], 'paymentPayload.payload')
  const { scheme, ...requirements } = asked
  return {
    scheme: readText(scheme, 'scheme', 32),
    requirements,
    transaction: readText(payload['transaction'], 'payload.transaction', mostTransactionChars),
  }
}

function mismatch(what: string): Refusal {
  return new Refusal(`invalid_exact_svm_${what}_mismatch`, `the payment names another ${what} than what was asked for`)
}

function readRequirements(value: unknown, path: string): SolanaRequirements & { readonly scheme: string | undefined } {
  const record = readOpenRecord(value, path)
  const amount = record['maxAmountRequired'] ?? record['amount']
  const given = record['extra']
  const extra = given === undefined || given === null ? {} : readOpenRecord(given, `${path}.extra`)
  return {
    scheme: readOptionalText(record['scheme'], `${path}.scheme`, 32),
    network: readOptionalText(record['network'], `${path}.network`, 64),
    asset: readOptionalAddress(record['asset'], `${path}.asset`),
    payTo: readOptionalAddress(record['payTo'], `${path}.payTo`),
    amount: amount === undefined ? undefined : readUint(amount, `${path}.amount`, 64),
    feePayer: readOptionalAddress(extra['feePayer'], `${path}.extra.feePayer`),
    memo: readOptionalText(extra['memo'], `${path}.extra.memo`, 256),
  }
}

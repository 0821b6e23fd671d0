import { randomUUID } from 'node:crypto'
import type {
  Amount,
  AuthorizeOrder,
  CaptureOrder,
  ChargeOrder,
  DirectPayment,
  Payment,
  SignedReleaseOrder,
  VoidOrder,
} from '@ergon/core'
import { signEscrowAuthorization, type TypedData } from '@ergon/protocols'
import type { Adapters } from '../../src/adapters/index.ts'
import { asset, payer, worker, type Party } from './rig.ts'

// Orders as the domain makes them: a challenge of the adapter's, signed by a wallet, read back by the adapter.

export const amount = (atomic: bigint): Amount => ({ atomic, asset })

/** Numbers never used before in this process, so that no two tests share a key. */
let serial = 0
export function freshKey(): string {
  serial += 1
  return `order-${String(process.pid)}-${String(serial)}-${String(performance.now())}`
}

const issuedNow = (): number => Math.floor(Date.now() / 1_000)

/** The deadline of a copy that is sent now. */
export const soon = (): Date => new Date(Date.now() + 30_000)

export type Terms = {
  readonly atomic?: bigint
  readonly deadline?: Date
  readonly boundUntil?: Date | null
  readonly silentAfterHours?: number | null
  readonly receiver?: string
  readonly signer?: Party
}

export function termsOf({
  atomic = 1_000_000n,
  deadline = new Date(Date.now() + 86_400_000),
  boundUntil = null,
  silentAfterHours = null,
  receiver = worker.address,
  signer = payer,
}: Terms = {}) {
  return {
    taskId: '01950000-0000-7000-8000-000000000001',
    network: 'localnet',
    payer: signer.address,
    receiver,
    amount: amount(atomic),
    deadline,
    boundUntil,
    silentAfterHours,
  }
}

/** The challenge for these terms, signed: the value of X-Payment-Auth. */
export async function signedAuth({ signatures }: Adapters, given: Terms = {}): Promise<string> {
  const { typedData, envelope } = signatures.escrowChallenge(termsOf(given), new Date())
  return signEscrowAuthorization({ typed_data: asTypedData(typedData), envelope }, given.signer ?? payer)
}

export async function authorizeOrder(adapters: Adapters, given: Terms = {}): Promise<AuthorizeOrder> {
  // One deadline for what is signed and what is read, however long the signing takes.
  const terms = { ...given, deadline: termsOf(given).deadline }
  const read = await adapters.signatures.readEscrowAuthorization(
    await signedAuth(adapters, terms),
    termsOf(terms),
    new Date(),
  )
  return { kind: 'authorize', key: freshKey(), ...read }
}

export async function captureOrder(
  { signatures }: Adapters,
  payment: Payment,
  atomic: bigint,
  signer = payer,
): Promise<CaptureOrder & { readonly order: SignedReleaseOrder }> {
  const { typedData, deadline, nonce } = signatures.releaseChallenge(payment, amount(atomic), new Date())
  const signature = await signer.signTypedData(asTypedData(typedData))
  return {
    kind: 'capture',
    key: freshKey(),
    payment,
    amount: amount(atomic),
    issuedAt: issuedNow(),
    order: { signer: payer.address, deadline, nonce, signature },
  }
}

/** What a resolution pays: the service orders it, not the payer. */
export function awardOrder(payment: Payment, atomic: bigint): CaptureOrder {
  return { kind: 'capture', key: freshKey(), payment, amount: amount(atomic), issuedAt: issuedNow(), order: null }
}

export function voidOrder(payment: Payment, atomic = payment.maxAmount): VoidOrder {
  return { kind: 'void', key: freshKey(), payment, amount: amount(atomic), issuedAt: issuedNow() }
}

export async function signedTransfer(
  { signatures }: Adapters,
  to: string,
  atomic: bigint,
  signer = payer,
): Promise<string> {
  const { typedData, envelope } = signatures.directChallenge(
    { taskId: randomUUID(), part: 'payout', network: 'localnet', from: payer.address, to, amount: amount(atomic) },
    new Date(),
  )
  const { payload, ...rest } = envelope as { payload: object } // as the adapter builds it
  return JSON.stringify({
    ...rest,
    payload: { ...payload, signature: await signer.signTypedData(asTypedData(typedData)) },
  })
}

export async function chargeOrder(adapters: Adapters, to: string, atomic: bigint): Promise<ChargeOrder> {
  const terms = { network: 'localnet', from: payer.address, to, amount: amount(atomic) }
  const transfer: DirectPayment = await adapters.signatures.readDirectPayment(
    await signedTransfer(adapters, to, atomic),
    terms,
    new Date(),
  )
  return { kind: 'charge', key: freshKey(), transfer }
}

/** The port hands documents on as plain JSON. */
export function asTypedData(document: Readonly<Record<string, unknown>>): TypedData {
  return document as unknown as TypedData // the adapter made it with @ergon/protocols
}

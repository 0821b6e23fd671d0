import type { Terms } from './orders.ts'
import { payer, stranger } from './rig.ts'

type Signed = { payload: { authorization: Record<string, string>; signature: string } }
export type Envelope = Signed & {
  payload: { paymentInfo: Record<string, unknown> }
  paymentRequirements: Record<string, unknown>
}
export type DirectEnvelope = Signed & { accepted: Record<string, unknown> }

/** What is said otherwise than it was signed, in each part of an envelope. */
const authorizing = (name: string, value: string) => (it: Signed) => {
  it.payload.authorization[name] = value
}
const signedBy = (signature: string) => (it: Signed) => {
  it.payload.signature = signature
}
const paying = (name: string, value: unknown) => (it: Envelope) => {
  it.payload.paymentInfo[name] = value
}
const accepting = (name: string, value: string) => (it: DirectEnvelope) => {
  it.accepted[name] = value
}

const nobodys = `0x${'11'.repeat(64)}1b`

/** What a sender may do to an authorization, and what each is answered with. */
export const forged: readonly (readonly [
  what: string,
  code: string,
  change: (envelope: Envelope) => unknown,
  terms?: Terms,
])[] = [
  ['is no JSON', 'INVALID_PAYMENT_AUTH', () => 'not json'],
  ['is a list', 'INVALID_PAYMENT_AUTH', () => []],
  ['is cut short', 'INVALID_PAYMENT_AUTH', (it) => JSON.stringify(it).slice(0, -20)],
  ['has a salt in decimal', 'INVALID_PAYMENT_AUTH', paying('salt', '12345')],
  ['has a member too many', 'INVALID_PAYMENT_AUTH', paying('payer', payer.address)],
  [
    'is for another network',
    'NETWORK_MISMATCH',
    (it) => {
      it.paymentRequirements['network'] = 'eip155:8453'
    },
  ],
  ['names another operator', 'OPERATOR_MISMATCH', paying('operator', stranger.address)],
  ['names another token', 'INVALID_PAYMENT_AUTH', paying('token', stranger.address)],
  ['pays into another collector', 'INVALID_PAYMENT_AUTH', authorizing('to', stranger.address)],
  ['comes from another payer', 'INVALID_SIGNATURE', authorizing('from', stranger.address)],
  ['pays another party', 'FORBIDDEN_RECEIVER', paying('receiver', stranger.address)],
  ['pays the payer', 'SELF_PAYMENT_BLOCKED', paying('receiver', payer.address)],
  ['holds another amount', 'AMOUNT_MISMATCH', paying('maxAmount', '999999')],
  ['moves another amount', 'AMOUNT_MISMATCH', authorizing('value', '999999')],
  ['bounds the fee below the share', 'INVALID_PAYMENT_AUTH', paying('maxFeeBps', 1_299)],
  ['sends the fee elsewhere', 'INVALID_PAYMENT_AUTH', paying('feeReceiver', stranger.address)],
  ['is valid only later', 'INVALID_PAYMENT_AUTH', authorizing('validAfter', '4000000000')],
  [
    'has run out',
    'INVALID_PAYMENT_AUTH',
    (it) => {
      paying('preApprovalExpiry', 1_000)(it)
      authorizing('validBefore', '1000')(it)
    },
  ],
  [
    'runs out before a late approval',
    'INVALID_PAYMENT_AUTH',
    () => undefined,
    { deadline: new Date(Date.now() + 9 * 86_400_000) },
  ],
  ['has terms changed after signing', 'INVALID_SIGNATURE', paying('salt', `0x${'1'.repeat(64)}`)],
  ['has a nonce of its own', 'INVALID_SIGNATURE', authorizing('nonce', `0x${'2'.repeat(64)}`)],
  ['is signed by nobody', 'INVALID_SIGNATURE', signedBy(nobodys)],
  ['has a signature of another length', 'INVALID_SIGNATURE', signedBy(`0x${'11'.repeat(80)}`)],
  ['has no signature', 'INVALID_SIGNATURE', signedBy('0x')],
]

/** The same of a direct payment. */
export const forgedPayments: readonly (readonly [
  what: string,
  code: string,
  change: (envelope: DirectEnvelope) => unknown,
])[] = [
  ['is no payment', 'INVALID_PAYMENT_AUTH', () => '{}'],
  ['is for another network', 'NETWORK_MISMATCH', accepting('network', 'eip155:1')],
  ['is of another scheme', 'INVALID_PAYMENT_AUTH', accepting('scheme', 'upto')],
  ['pays another party', 'FORBIDDEN_RECEIVER', authorizing('to', stranger.address)],
  ['pays the payer', 'SELF_PAYMENT_BLOCKED', authorizing('to', payer.address)],
  ['moves another amount', 'AMOUNT_MISMATCH', authorizing('value', '1')],
  ['has run out', 'INVALID_PAYMENT_AUTH', authorizing('validBefore', '1000')],
  ['comes from another party', 'INVALID_SIGNATURE', authorizing('from', stranger.address)],
  ['is signed by nobody', 'INVALID_SIGNATURE', signedBy(nobodys)],
]

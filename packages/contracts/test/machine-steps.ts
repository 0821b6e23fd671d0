import fc from 'fast-check'
import { lowerAddress, zeroAddress, type Address } from '@ergon/protocols'
import { localAddresses } from '../src/index.ts'
import type { PaymentTerms } from '../src/testing/index.ts'
import { accountAt } from './chain.ts'

/** Who calls. The bare operator is a plain key that some payments name as theirs. */
export const parties = {
  payer: accountAt(4),
  payee: accountAt(5),
  stranger: accountAt(6),
  facilitator: accountAt(1),
  bareOperator: accountAt(7),
  treasury: accountAt(2),
}
export type PartyName = keyof typeof parties

export const address = (text: string): Address => lowerAddress(text)

/** The terms a payment of a sequence may have; the second half is refused somewhere. */
export const kindsOfTerms = [
  'plain',
  'exact fee',
  'bare operator',
  'small',
  'too much',
  'no fee room',
  'fee to the treasury',
  'to the treasury',
  'to the payer',
  'dead at once',
  'expiries out of order',
  'fee bounds crossed',
] as const
export type KindOfTerms = (typeof kindsOfTerms)[number]

export function termsOf(kind: KindOfTerms, now: number, salt: bigint): PaymentTerms {
  const { Operator } = localAddresses
  const plain: PaymentTerms = {
    operator: address(Operator),
    payer: address(parties.payer.address),
    receiver: address(parties.payee.address),
    token: address(localAddresses.TestUSD),
    maxAmount: 1_000_003n,
    preApprovalExpiry: now + 300,
    authorizationExpiry: now + 600,
    refundExpiry: now + 900,
    minFeeBps: 0,
    maxFeeBps: 1_300,
    feeReceiver: address(Operator),
    salt,
  }
  const changes: Readonly<Record<KindOfTerms, Partial<PaymentTerms>>> = {
    plain: {},
    'exact fee': { minFeeBps: 1_300, maxFeeBps: 10_000 },
    'bare operator': { operator: address(parties.bareOperator.address), feeReceiver: zeroAddress },
    small: { maxAmount: 7n },
    'too much': { maxAmount: 100_000_001n },
    'no fee room': { maxFeeBps: 1_299 },
    'fee to the treasury': { feeReceiver: address(parties.treasury.address) },
    'to the treasury': { receiver: address(parties.treasury.address) },
    'to the payer': { receiver: address(parties.payer.address) },
    'dead at once': { preApprovalExpiry: now + 1 },
    'expiries out of order': { authorizationExpiry: now + 200 },
    'fee bounds crossed': { minFeeBps: 1_301, maxFeeBps: 1_299 },
  }
  return { ...plain, ...changes[kind] }
}

const operations = [
  'operator.authorize',
  'operator.authorize',
  'operator.charge',
  'operator.release',
  'operator.release',
  'operator.refundInEscrow',
  'operator.refundPostEscrow',
  'operator.distributeFees',
  'escrow.authorize',
  'escrow.charge',
  'escrow.capture',
  'escrow.void',
  'escrow.partialVoid',
  'escrow.reclaim',
  'escrow.refund',
  'token.transfer',
  'token.cancelAuthorization',
  'token.receiveWithAuthorization',
] as const
export type Operation = (typeof operations)[number]
export type Portion =
  | 'nothing'
  | 'one'
  | 'a third'
  | 'all there is'
  | 'one too many'
  | 'the most'
  | 'more than the most'
  | 'beyond all words'

/** One call of one party. Numbers are relative, so that a shorter sequence still means something. */
export type MachineStep = {
  /** `rightful`: whoever may. */
  readonly by: PartyName | 'rightful'
  readonly call: Operation
  readonly payment: number
  readonly portion: Portion
  readonly forged: boolean
  readonly foreignCollector: boolean
  readonly withBytes: boolean
  readonly feeBps: number
  readonly wait: 'a second' | 'to preApprovalExpiry' | 'to authorizationExpiry' | 'to refundExpiry'
}

export const machineSteps: fc.Arbitrary<MachineStep> = fc.record({
  by: fc.constantFrom<MachineStep['by'][]>(
    'rightful',
    'rightful',
    'rightful',
    'rightful',
    'rightful',
    'rightful',
    'payer',
    'facilitator',
    'bareOperator',
    'payee',
    'stranger',
    'treasury',
  ),
  call: fc.constantFrom(...operations),
  payment: fc.constantFrom(0, 0, 1, 1, 2),
  portion: fc.constantFrom<Portion[]>(
    'one',
    'a third',
    'a third',
    'a third',
    'all there is',
    'all there is',
    'the most',
    'nothing',
    'one too many',
    'more than the most',
    'beyond all words',
  ),
  forged: fc.nat({ max: 9 }).map((n) => n === 0),
  foreignCollector: fc.nat({ max: 9 }).map((n) => n === 0),
  withBytes: fc.boolean(),
  feeBps: fc.constantFrom(0, 1_300, 1_300, 10_000),
  wait: fc.constantFrom<MachineStep['wait'][]>(
    ...Array.from({ length: 20 }, () => 'a second' as const),
    'to preApprovalExpiry',
    'to authorizationExpiry',
    'to refundExpiry',
  ),
})

const first: Omit<MachineStep, 'payment'> = {
  by: 'rightful',
  call: 'operator.authorize',
  portion: 'the most',
  forged: false,
  foreignCollector: false,
  withBytes: false,
  feeBps: 1_300,
  wait: 'a second',
}

/** How a payment of a sequence begins, so that most have something to move. */
export const openings: fc.Arbitrary<readonly Omit<MachineStep, 'payment'>[]> = fc.constantFrom(
  [first],
  [first],
  [{ ...first, by: 'payer', portion: 'a third' }],
  [{ ...first, call: 'operator.charge' }],
  [{ ...first, call: 'escrow.authorize' }],
  [{ ...first, call: 'escrow.charge', feeBps: 0 }],
  [],
)

/** Terms hold addresses as text; these come from the local chain. */
export const asInfo = (terms: PaymentTerms) => ({
  ...terms,
  operator: address(terms.operator),
  payer: address(terms.payer),
  receiver: address(terms.receiver),
  token: address(terms.token),
  feeReceiver: address(terms.feeReceiver),
})

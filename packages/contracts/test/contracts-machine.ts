import fc from 'fast-check'
import type { Hex } from 'viem'
import { authorizationNonce, lowerAddress, paymentInfoHash, zeroAddress, type Address } from '@ergon/protocols'
import { localAddresses, localChainId } from '../src/index.ts'
import {
  createContractsModel,
  type ContractsModel,
  type ModelCall,
  type ModelDeployment,
  type PaymentTerms,
} from '../src/testing/index.ts'
import { accountAt, type TestChain } from './chain.ts'
import { carryOut, textOf, revertData } from './model-on-chain.ts'
import { authorizationFields, tokenDomain } from './payment.ts'

/** Who calls. The bare operator is a plain key that some payments name as theirs. */
export const parties = {
  payer: accountAt(4),
  payee: accountAt(5),
  stranger: accountAt(6),
  facilitator: accountAt(1),
  bareOperator: accountAt(7),
  treasury: accountAt(2),
}
type PartyName = keyof typeof parties

/** Who may make a call; of several, the most usual. */
const rightful: Readonly<Record<Operation, PartyName>> = {
  'operator.authorize': 'facilitator',
  'operator.charge': 'payer',
  'operator.release': 'payer',
  'operator.refundInEscrow': 'facilitator',
  'operator.refundPostEscrow': 'facilitator',
  'operator.distributeFees': 'stranger',
  'escrow.authorize': 'bareOperator',
  'escrow.charge': 'bareOperator',
  'escrow.capture': 'bareOperator',
  'escrow.void': 'bareOperator',
  'escrow.partialVoid': 'bareOperator',
  'escrow.reclaim': 'payer',
  'escrow.refund': 'bareOperator',
  'token.transfer': 'payer',
  'token.cancelAuthorization': 'stranger',
  'token.receiveWithAuthorization': 'stranger',
}

const address = (text: string): Address => lowerAddress(text)

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
type Operation = (typeof operations)[number]
type Portion =
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

export type Machine = {
  readonly model: ContractsModel
  readonly payments: readonly PaymentTerms[]
  /** Carries a step out on both and throws where they differ. Answers one line on what happened. */
  take(step: MachineStep): Promise<string>
  /** Throws where a balance, a payment, a locked fee or a nonce differs. */
  compare(): Promise<void>
}

export function deploymentOf(refundCollector: string, storeOf: ModelDeployment['storeOf']): ModelDeployment {
  return {
    token: address(localAddresses.TestUSD),
    escrow: address(localAddresses.Escrow),
    collector: address(localAddresses.Eip3009Collector),
    refundCollectors: [refundCollector],
    operator: address(localAddresses.Operator),
    treasury: address(parties.treasury.address),
    facilitator: address(parties.facilitator.address),
    feeBps: 1_300,
    maxDeposit: 100_000_000n,
    storeOf,
    hashOf: (terms) => paymentInfoHash(asInfo(terms), localChainId, localAddresses.Escrow),
  }
}

/** Terms hold addresses as text; these come from the local chain. */
const asInfo = (terms: PaymentTerms) => ({
  ...terms,
  operator: address(terms.operator),
  payer: address(terms.payer),
  receiver: address(terms.receiver),
  token: address(terms.token),
  feeReceiver: address(terms.feeReceiver),
})

/** What each signature was made over, so that the model knows a good one. */
function createSignatures() {
  const signed = new Map<string, string>()
  const keyOf = (message: object): string =>
    JSON.stringify(message, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
  return {
    isSigned: (message: object, signature: string): boolean => signed.get(signature) === keyOf(message),
    remember: (message: object, signature: string): void => {
      signed.set(signature, keyOf(message))
    },
  }
}

export async function openMachine(
  chain: TestChain,
  deployment: ModelDeployment,
  kinds: readonly KindOfTerms[],
  salt: bigint,
): Promise<Machine> {
  const book = createSignatures()
  const model = createContractsModel(deployment, book.isSigned)
  const start = await chain.now()
  const payments = kinds.map((kind, index) => termsOf(kind, start, salt * 16n + BigInt(index)))
  const accounts = [
    ...Object.values(parties).map((party) => address(party.address)),
    deployment.operator,
    deployment.collector,
    deployment.escrow,
    ...deployment.refundCollectors,
    deployment.storeOf(deployment.operator),
    deployment.storeOf(address(parties.bareOperator.address)),
  ]
  for (const account of accounts) {
    const balance = await chain.balanceOf(account as Address)
    if (balance > 0n) model.mint(account, balance)
  }
  for (const operator of [deployment.operator, address(parties.bareOperator.address)]) {
    if ((await chain.reader.getCode({ address: deployment.storeOf(operator) as Address })) !== undefined)
      model.adoptStore(operator)
  }
  const sign = async (terms: PaymentTerms, forged: boolean): Promise<Hex> => signTerms(deployment, book, terms, forged)
  return {
    model,
    payments,
    async take(step) {
      const terms = payments[paymentOf(step)]
      if (terms === undefined) throw new Error('a sequence has payments')
      const call = await callOf(step, terms, { model, deployment, book, sign })
      const at = secondOf(step, terms, await chain.now())
      const by = step.by === 'rightful' ? rightful[step.call] : step.by
      const sender = parties[by].address
      const expected = model.call(address(sender), at, call)
      const real = await carryOut(chain, sender, at, call, step.withBytes)
      const line = `${by} ${step.call} ${step.portion} of payment ${String(paymentOf(step))} (${kinds[paymentOf(step)] ?? ''}) at ${String(at - start)} s`
      if (expected.outcome === 'reverted') {
        const wanted = revertData(expected.revert)
        if (real.revert !== wanted)
          throw new Error(
            `${line}: the model reverts with ${expected.revert.error} ${wanted}, the chain ${real.revert ?? 'does not revert'}`,
          )
        return `${line}: ${expected.revert.error}`
      }
      if (real.revert !== null)
        throw new Error(`${line}: the model carries it out, the chain reverts with ${real.revert}`)
      const [ours, theirs] = [textOf(expected.events), textOf(real.events)]
      if (ours !== theirs) throw new Error(`${line}: the model logs\n${ours}\nthe chain\n${theirs}`)
      return `${line}: ${String(expected.events.length)} logs`
    },
    async compare() {
      for (const account of accounts)
        differ(`the balance of ${account}`, model.balance(account), await chain.balanceOf(account as Address))
      for (const terms of payments) {
        const hash = deployment.hashOf(terms)
        const { collected, capturable, refundable } = model.payment(terms)
        differ(
          'a payment',
          [collected, capturable, refundable].join(),
          ((await chain.read('Escrow', 'paymentState', [hash])) as unknown[]).join(),
        )
        differ(
          'a locked fee',
          `${String(model.lockedFeeBps(hash))},0`,
          ((await chain.read('Operator', 'authorizedFees', [hash])) as unknown[]).join(),
        )
        const nonce = authorizationNonce(asInfo(terms), localChainId, localAddresses.Escrow)
        differ(
          'a nonce',
          model.isUsed(terms.payer, nonce),
          await chain.read('TestUSD', 'authorizationState', [terms.payer, nonce]),
        )
      }
    },
  }
}

/** The second payment of a sequence is the bare operator's; a rightful call goes where it can succeed. */
function paymentOf({ by, call, payment }: MachineStep): number {
  const isBare = call.startsWith('escrow.') && call !== 'escrow.reclaim'
  return by !== 'rightful' ? payment : isBare ? 1 : payment === 1 && call.startsWith('operator.') ? 0 : payment
}

function differ(what: string, model: unknown, chain: unknown): void {
  if (model !== chain) throw new Error(`${what} is ${String(model)} in the model and ${String(chain)} on the chain`)
}

async function signTerms(
  deployment: ModelDeployment,
  book: ReturnType<typeof createSignatures>,
  terms: PaymentTerms,
  forged: boolean,
): Promise<Hex> {
  const nonce = authorizationNonce(asInfo(terms), localChainId, localAddresses.Escrow)
  const message = {
    from: terms.payer,
    to: deployment.collector,
    value: terms.maxAmount,
    validAfter: 0n,
    validBefore: BigInt(terms.preApprovalExpiry),
    nonce,
  }
  const signature = await (forged ? parties.stranger : parties.payer).signTypedData({
    domain: tokenDomain,
    types: { ReceiveWithAuthorization: authorizationFields },
    primaryType: 'ReceiveWithAuthorization',
    message: { ...message, from: address(terms.payer), to: address(deployment.collector) },
  })
  if (!forged) book.remember({ type: 'receive', ...message }, signature)
  return signature
}

function secondOf({ wait }: MachineStep, terms: PaymentTerms, now: number): number {
  const ends = {
    'a second': 0,
    'to preApprovalExpiry': terms.preApprovalExpiry,
    'to authorizationExpiry': terms.authorizationExpiry,
    'to refundExpiry': terms.refundExpiry,
  }
  return Math.max(now + 1, ends[wait])
}

function amountOf(portion: Portion, there: bigint, most: bigint): bigint {
  const amounts: Readonly<Record<Portion, bigint>> = {
    nothing: 0n,
    one: 1n,
    'a third': there / 3n,
    'all there is': there,
    'one too many': there + 1n,
    'the most': most,
    'more than the most': most + 1n,
    'beyond all words': 1n << 120n,
  }
  return amounts[portion]
}

/** What a step needs to become a call. */
type Desk = {
  readonly model: ContractsModel
  readonly deployment: ModelDeployment
  readonly book: ReturnType<typeof createSignatures>
  readonly sign: (terms: PaymentTerms, forged: boolean) => Promise<Hex>
}

/** The call that a step means for a payment as it is now. */
async function callOf(step: MachineStep, terms: PaymentTerms, desk: Desk): Promise<ModelCall> {
  const { model, deployment, sign } = desk
  const { capturable, refundable } = model.payment(terms)
  const [pocket = ''] = deployment.refundCollectors
  const ofHeld = amountOf(step.portion, capturable, terms.maxAmount)
  const ofPaid = amountOf(step.portion, refundable, terms.maxAmount)
  const opened = amountOf(step.portion, terms.maxAmount, terms.maxAmount)
  const collector = step.foreignCollector ? pocket : deployment.collector
  const refunder = step.foreignCollector ? deployment.collector : pocket
  // An amount that the ABI cannot carry does not reach the contract.
  const uint120 = (amount: bigint): bigint => (amount < 1n << 120n ? amount : (1n << 120n) - 1n)
  const fee = { feeBps: step.feeBps, feeReceiver: step.feeBps === 0 ? zeroAddress : deployment.treasury }
  switch (step.call) {
    case 'operator.authorize':
    case 'operator.charge':
      return {
        to: 'operator',
        name: step.call === 'operator.charge' ? 'charge' : 'authorize',
        terms,
        amount: opened,
        collector,
        signature: await sign(terms, step.forged),
      }
    case 'operator.release':
      return { to: 'operator', name: 'release', terms, amount: ofHeld }
    case 'operator.refundInEscrow':
      return { to: 'operator', name: 'refundInEscrow', terms, amount: uint120(ofHeld) }
    case 'operator.refundPostEscrow':
      return { to: 'operator', name: 'refundPostEscrow', terms, amount: ofPaid, collector: refunder }
    case 'operator.distributeFees':
      return { to: 'operator', name: 'distributeFees', token: step.foreignCollector ? zeroAddress : deployment.token }
    case 'escrow.authorize':
      return {
        to: 'escrow',
        name: 'authorize',
        terms,
        amount: opened,
        collector,
        signature: await sign(terms, step.forged),
      }
    case 'escrow.charge':
      return {
        to: 'escrow',
        name: 'charge',
        terms,
        amount: opened,
        collector,
        signature: await sign(terms, step.forged),
        ...fee,
      }
    case 'escrow.capture':
      return { to: 'escrow', name: 'capture', terms, amount: ofHeld, ...fee }
    case 'escrow.void':
    case 'escrow.reclaim':
      return { to: 'escrow', name: step.call === 'escrow.void' ? 'void' : 'reclaim', terms }
    case 'escrow.partialVoid':
      return { to: 'escrow', name: 'partialVoid', terms, amount: uint120(ofHeld) }
    case 'escrow.refund':
      return { to: 'escrow', name: 'refund', terms, amount: ofPaid, collector: refunder }
    default:
      return tokenCallOf(step, terms, desk, ofHeld)
  }
}

async function tokenCallOf(
  step: MachineStep,
  terms: PaymentTerms,
  { deployment, book, sign }: Desk,
  value: bigint,
): Promise<ModelCall> {
  const nonce = authorizationNonce(asInfo(terms), localChainId, localAddresses.Escrow)
  if (step.call === 'token.transfer')
    return {
      to: 'token',
      name: 'transfer',
      recipient: step.foreignCollector ? zeroAddress : deployment.operator,
      value,
    }
  if (step.call === 'token.cancelAuthorization') {
    const signature = await (step.forged ? parties.stranger : parties.payer).signTypedData({
      domain: tokenDomain,
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: address(terms.payer), nonce },
    })
    if (!step.forged) book.remember({ type: 'cancel', from: terms.payer, nonce }, signature)
    return { to: 'token', name: 'cancelAuthorization', authorizer: terms.payer, nonce, signature }
  }
  // The payer's own signature, presented by an account that is not the collector.
  const signature = await sign(terms, step.forged)
  return {
    to: 'token',
    name: 'receiveWithAuthorization',
    from: terms.payer,
    recipient: deployment.collector,
    value: terms.maxAmount,
    validAfter: 0n,
    validBefore: BigInt(terms.preApprovalExpiry),
    nonce,
    signature,
  }
}

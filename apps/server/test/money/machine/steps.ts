import fc from 'fast-check'
import type { PaymentMode } from '@ergon/contract'

// What a sequence is made of, as plain data: it is printed, shortened and played again as it is.

export type By = 'payer' | 'worker' | 'anybody' | 'facilitator'
export type Portion = 'a dust' | 'a third' | 'all'
/** Which of the payments signed so far: the newest, or the one before. */
export type Which = 'newest' | 'older'

/** A call past the market: of the contracts, or of the facilitator by another client. */
export type ChainAct = {
  readonly on: 'chain'
  readonly do:
    | 'relay'
    | 'charge'
    | 'release'
    | 'refundInEscrow'
    | 'refundPostEscrow'
    | 'reclaim'
    | 'distributeFees'
    | 'order a release'
    | 'order a refund'
    | 'escrow.authorize'
    | 'escrow.charge'
    | 'escrow.capture'
    | 'escrow.void'
    | 'escrow.partialVoid'
    | 'escrow.refund'
    | 'cancelAuthorization'
    | 'empty the wallet'
    | 'fill the wallet'
    | 'donate to the operator'
    | 'present the payout'
    | 'present the fee'
  readonly by: By
  readonly which: Which
  readonly portion: Portion
}

/** A flow of the market, by the party it is for. */
export type Flow = {
  readonly on: 'market'
  readonly do:
    | 'go on'
    | 'apply'
    | 'sign'
    | 'assign'
    | 'submit'
    | 'approve'
    | 'keep a release order'
    | 'approve as kept'
    | 'request changes'
    | 'reject'
    | 'dispute'
    | 'resolve for the worker'
    | 'resolve for the payer'
    | 'split'
    | 'cancel'
    | 'withdraw'
    | 'refund'
    | 'reclaim'
  readonly worker: 0 | 1
  readonly which: Which
  /** What happens while the order is on its way. */
  readonly during?: {
    readonly before: readonly Nested[]
    readonly after: readonly Nested[]
    readonly answer: 'kept' | 'lost' | 'cut'
  }
}
export type Nested = ChainAct | Duty | Wait | Omit<Flow, 'during'>

export type Duty = { readonly on: 'duties'; readonly do: 'reconcile' | 'fees' | 'expire' | 'audit' | 'all' }
export type Wait = {
  readonly on: 'time'
  readonly do: 'seconds' | 'minutes' | 'preApprovalExpiry' | 'the deadline' | 'authorizationExpiry' | 'refundExpiry'
}
export type Step = ChainAct | Flow | Duty | Wait

export type Plan = { readonly mode: PaymentMode; readonly bountyUsd: string; readonly steps: readonly Step[] }

const acts = <K extends ChainAct['do']>(by: readonly By[], ...names: readonly K[]): fc.Arbitrary<ChainAct> =>
  fc.record({
    on: fc.constant('chain' as const),
    do: fc.constantFrom<ChainAct['do'][]>(...names),
    by: fc.constantFrom(...by),
    which: fc.constantFrom<Which[]>('newest', 'newest', 'newest', 'older'),
    portion: fc.constantFrom<Portion[]>('a dust', 'a third', 'all'),
  })

const chainActs: fc.Arbitrary<ChainAct> = fc.oneof(
  { weight: 8, arbitrary: acts(['payer'], 'release', 'charge', 'relay', 'reclaim') },
  {
    weight: 3,
    arbitrary: acts(['anybody', 'worker'], 'relay', 'distributeFees', 'present the payout', 'present the fee'),
  },
  { weight: 3, arbitrary: acts(['payer'], 'cancelAuthorization', 'empty the wallet', 'fill the wallet') },
  {
    weight: 4,
    arbitrary: acts(['facilitator'], 'order a release', 'order a refund', 'refundPostEscrow', 'donate to the operator'),
  },
  {
    weight: 2,
    arbitrary: acts(
      ['anybody', 'payer', 'worker', 'facilitator'],
      'escrow.authorize',
      'escrow.charge',
      'escrow.capture',
      'escrow.void',
      'escrow.partialVoid',
      'escrow.refund',
    ),
  },
  {
    weight: 1,
    arbitrary: acts(['anybody', 'worker'], 'release', 'charge', 'reclaim', 'refundInEscrow', 'refundPostEscrow'),
  },
)

const flowNames: readonly (readonly [number, Flow['do']])[] = [
  [14, 'go on'],
  [1, 'apply'],
  [1, 'sign'],
  [2, 'assign'],
  [1, 'submit'],
  [3, 'approve'],
  [1, 'keep a release order'],
  [1, 'approve as kept'],
  [1, 'request changes'],
  [2, 'reject'],
  [2, 'dispute'],
  [2, 'resolve for the worker'],
  [2, 'resolve for the payer'],
  [3, 'split'],
  [2, 'cancel'],
  [2, 'withdraw'],
  [1, 'refund'],
  [1, 'reclaim'],
]

const duties: fc.Arbitrary<Duty> = fc.record({
  on: fc.constant('duties' as const),
  do: fc.constantFrom<Duty['do'][]>('reconcile', 'all', 'fees', 'expire', 'audit'),
})
const waits: fc.Arbitrary<Wait> = fc.record({
  on: fc.constant('time' as const),
  do: fc.constantFrom<Wait['do'][]>(
    'seconds',
    'seconds',
    'seconds',
    'minutes',
    'minutes',
    'minutes',
    'preApprovalExpiry',
    'preApprovalExpiry',
    'the deadline',
    'authorizationExpiry',
    'refundExpiry',
  ),
})

const plainFlows: fc.Arbitrary<Omit<Flow, 'during'>> = fc.record({
  on: fc.constant('market' as const),
  do: fc.oneof(...flowNames.map(([weight, name]) => ({ weight, arbitrary: fc.constant(name) }))),
  worker: fc.constantFrom<Flow['worker'][]>(0, 0, 0, 1),
  which: fc.constantFrom<Which[]>('newest', 'newest', 'newest', 'older'),
})

/**
 * What may happen between an order and its answer: an act past the market, another flow, another process's duty, or
 * time.
 */
const nested = fc.oneof(
  { weight: 6, arbitrary: chainActs },
  { weight: 2, arbitrary: plainFlows },
  { weight: 2, arbitrary: duties },
  { weight: 2, arbitrary: waits },
)
const during: fc.Arbitrary<NonNullable<Flow['during']>> = fc.record({
  before: fc.array(nested, { maxLength: 2 }),
  after: fc.array(nested, { maxLength: 1 }),
  answer: fc.constantFrom<NonNullable<Flow['during']>['answer'][]>('kept', 'kept', 'lost', 'cut'),
})
const flows: fc.Arbitrary<Flow> = fc
  .tuple(plainFlows, fc.option(during, { freq: 3, nil: undefined }))
  .map(([flow, interrupted]) => (interrupted === undefined ? flow : { ...flow, during: interrupted }))

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: flows },
  { weight: 6, arbitrary: chainActs },
  { weight: 2, arbitrary: duties },
  { weight: 2, arbitrary: waits },
)

/** How far the job has come, undisturbed, before anything may happen to it: most is only possible late. */
const onTheWay = (...names: readonly Flow['do'][]): readonly Flow[] =>
  names.map((name) => ({ on: 'market', do: name, worker: 0, which: 'newest' }))
const openings = fc.constantFrom(
  onTheWay(),
  onTheWay(),
  onTheWay('assign'),
  onTheWay('assign'),
  onTheWay('assign', 'submit'),
  onTheWay('assign', 'submit'),
  onTheWay('assign', 'submit'),
  onTheWay('assign', 'submit', 'keep a release order'),
  onTheWay('assign', 'submit', 'reject'),
  onTheWay('assign', 'submit', 'dispute'),
  onTheWay('assign', 'submit', 'approve'),
)

export const plans: fc.Arbitrary<Plan> = fc
  .record({
    mode: fc.constantFrom<PaymentMode[]>('fase2', 'fase2', 'fase2', 'fase5', 'fase1'),
    bountyUsd: fc.constantFrom('10', '1.07', '0.010007'),
    opening: openings,
    steps: fc.array(steps, { minLength: 2, maxLength: 12, size: 'max' }),
  })
  .map(({ opening, steps: later, ...plan }) => ({ ...plan, steps: [...opening, ...later] }))

/** A step in words, with all that it needs to be played again. */
export function textOf(step: Step): string {
  switch (step.on) {
    case 'chain':
      return `${step.by}: ${step.do}, ${step.portion} of the ${step.which}`
    case 'market':
      return `market: ${step.do}, worker ${String(step.worker)}, ${step.which}${step.during === undefined ? '' : ` [${[...step.during.before.map(textOf), `the answer is ${step.during.answer}`, ...step.during.after.map((act) => `then ${textOf(act)}`)].join('; ')}]`}`
    case 'duties':
      return `duties: ${step.do}`
    case 'time':
      return `time: to ${step.do}`
  }
}

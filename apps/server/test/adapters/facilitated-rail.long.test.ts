import type { Payment } from '@ergon/core'
import { describeRail, type RailBench } from './rail-suite.ts'
import { authorizeOrder, awardOrder, captureOrder, chargeOrder, freshKey, voidOrder, soon } from './orders.ts'
import { startRig, stranger, worker, type Rig } from './rig.ts'

async function startBench(): Promise<RailBench> {
  const rig = await startRig()
  const { adapters, facilitatorLine, chainLine } = rig
  const rail = adapters.rails('localnet')
  const held = (): Promise<Payment> => holdPayment(rig)
  return {
    rail,
    orders: {
      authorize: () => authorizeOrder(adapters),
      capture: async () => captureOrder(adapters, await held(), 1_000_000n),
      'capture of a part': async () => captureOrder(adapters, await held(), 400_000n),
      "an award on the service's own order": async () => awardOrder(await held(), 400_000n),
      void: async () => voidOrder(await held()),
      charge: () => chargeOrder(adapters, worker.address, 870_000n),
    },
    refused: {
      'an authorization beyond the balance': async () => ({
        order: await beyondBalance(rig),
        code: 'INSUFFICIENT_FUNDS',
      }),
      'an authorization whose signature was changed': async () => {
        const order = await authorizeOrder(adapters)
        return {
          order: { ...order, authorization: { ...order.authorization, signature: `0x${'11'.repeat(64)}1b` } },
          code: 'INVALID_SIGNATURE',
        }
      },
      'an authorization for another operator': async () => {
        const order = await authorizeOrder(adapters)
        return {
          order: { ...order, payment: { ...order.payment, operator: stranger.address, feeReceiver: stranger.address } },
          code: 'OPERATOR_MISMATCH',
        }
      },
      'an authorization to the payer itself': async () => {
        const order = await authorizeOrder(adapters)
        return {
          order: { ...order, payment: { ...order.payment, receiver: order.payment.payer } },
          code: 'SELF_PAYMENT_BLOCKED',
        }
      },
      'a capture of nothing held': async () => {
        const { payment } = await authorizeOrder(adapters)
        return { order: await captureOrder(adapters, payment, 1_000_000n), code: 'ESCROW_NOT_RELEASABLE' }
      },
      'a capture its payer did not order': async () => ({
        order: await captureOrder(adapters, await held(), 1_000_000n, stranger),
        code: 'LIFECYCLE_ORDER_INVALID',
      }),
      'an award of nothing held': async () => ({
        order: awardOrder((await authorizeOrder(adapters)).payment, 400_000n),
        code: 'ESCROW_NOT_RELEASABLE',
      }),
      'a void of nothing held': async () => ({
        order: voidOrder((await authorizeOrder(adapters)).payment),
        code: 'ESCROW_NOT_REFUNDABLE',
      }),
      'a direct payment beyond the balance': async () => {
        const order = await chargeOrder(adapters, worker.address, 2_000_000_000n)
        return { order, code: 'INSUFFICIENT_FUNDS' }
      },
      'a direct payment whose signature was changed': async () => {
        const order = await chargeOrder(adapters, worker.address, 1_000n)
        return {
          order: { ...order, transfer: { ...order.transfer, signature: `0x${'11'.repeat(64)}1b` } },
          code: 'INVALID_SIGNATURE',
        }
      },
    },
    line: {
      restore: () => facilitatorLine.open(),
      cut: () => facilitatorLine.close(),
      mute: () => {
        facilitatorLine.mute()
      },
    },
    chainLine: { restore: () => chainLine.open(), cut: () => chainLine.close() },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  }
}

/** A payment the escrow holds. */
async function holdPayment({ adapters }: Rig): Promise<Payment> {
  const order = await authorizeOrder(adapters)
  const answer = await adapters.rails('localnet').send(order, 10_000, soon())
  if (answer.outcome !== 'settled') throw new Error(`the payment is not held: ${answer.outcome}`)
  return order.payment
}

/** The stranger has no tokens. */
async function beyondBalance({ adapters }: Rig) {
  return { ...(await authorizeOrder(adapters, { signer: stranger })), key: freshKey() }
}

describeRail(
  'through a facilitator',
  ['authorize', 'capture', 'capture of a part', "an award on the service's own order", 'void', 'charge'],
  [
    'an authorization beyond the balance',
    'an authorization whose signature was changed',
    'an authorization for another operator',
    'an authorization to the payer itself',
    'a capture of nothing held',
    'a capture its payer did not order',
    'an award of nothing held',
    'a void of nothing held',
    'a direct payment beyond the balance',
    'a direct payment whose signature was changed',
  ],
  startBench,
)

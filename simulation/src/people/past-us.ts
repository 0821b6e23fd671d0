import {
  authorizationNonce,
  lifecycleOrderDigest,
  paymentInfoToWire,
  type Hex,
  type PaymentInfo,
} from '@ergon/protocols'
import { deployment } from '../chain/deployment.ts'
import type { Facilitators } from '../parts/facilitator.ts'
import type { Random } from '../world/random.ts'
import type { Universe } from '../world/universe.ts'
import type { Wallet } from './wallets.ts'

const paymentRequirements = {
  scheme: 'escrow',
  network: `eip155:${String(deployment.chainId)}`,
  extra: {
    escrowAddress: deployment.escrow,
    operatorAddress: deployment.operator,
    tokenCollector: deployment.collector,
  },
}

/** Asks the facilitator as a client of its own: whoever holds a signature may, and we are not asked. */
function ask(universe: Universe, facilitators: Facilitators, what: string, body: object): void {
  const { note } = universe
  universe.lines
    .exchange({
      label: `past us: ${what}`,
      from: null,
      to: facilitators.front,
      timeoutMs: 20_000,
      handle: (life) =>
        facilitators.handle(life, {
          method: 'POST',
          path: '/settle',
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(JSON.stringify({ x402Version: 2, scheme: 'escrow', ...body, paymentRequirements })),
        }),
    })
    .then(
      ({ status, body: text }) => {
        note(`past us: ${what}: ${String(status)} ${text.slice(0, 120)}`)
      },
      (error: unknown) => {
        note(`past us: ${what}: ${String(error)}`)
      },
    )
}

/** The payer hands its authorization to the facilitator itself. */
export function askToAuthorize(
  universe: Universe,
  facilitators: Facilitators,
  info: PaymentInfo,
  signature: Hex,
): void {
  const authorization = {
    from: info.payer,
    to: deployment.collector,
    value: info.maxAmount.toString(),
    validAfter: '0',
    validBefore: String(info.preApprovalExpiry),
    nonce: authorizationNonce(info, deployment.chainId, deployment.escrow),
  }
  ask(universe, facilitators, 'authorize', {
    action: 'authorize',
    payload: { authorization, signature, paymentInfo: paymentInfoToWire(info) },
  })
}

/** A party of the payment orders the facilitator itself to move what is held. */
export function askToMove(
  universe: Universe,
  facilitators: Facilitators,
  order: {
    readonly action: 'release' | 'refundInEscrow'
    readonly info: PaymentInfo
    readonly amount: bigint
    readonly by: Wallet
    readonly random: Random
  },
): void {
  const { action, info, amount, by, random } = order
  const [deadline, nonce]: [number, Hex] = [universe.driver.seconds() + 600, `0x${random.hex(32)}`]
  const signature = by.sign(
    lifecycleOrderDigest({ action, amount, deadline, nonce, paymentInfo: info }, deployment.chainId),
  )
  const payload = {
    paymentInfo: paymentInfoToWire(info),
    payer: info.payer,
    amount: amount.toString(),
    lifecycleAuth: { signer: by.address, deadline, nonce, signature },
  }
  ask(universe, facilitators, action, { action, payload })
}

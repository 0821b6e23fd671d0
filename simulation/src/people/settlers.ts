import {
  authorizationNonce, lifecycleOrderDigest, paymentInfoHash, paymentInfoToWire, receiveWithAuthorizationDigest, type Hex, type PaymentInfo,
} from '@ergon/protocols'
import { deployment, tokenDomain } from '../chain/deployment.ts'
import { paymentStateOf } from '../chain/escrow.ts'
import type { Facilitators } from '../parts/facilitator.ts'
import { LineFault } from '../world/network.ts'
import type { Universe } from '../world/universe.ts'
import { walletOf } from './wallets.ts'

/** Clients of the facilitator alone: each locks a payment and pays it out, resending the same request until it has an end. */
export async function settle(universe: Universe, facilitators: Facilitators, index: number): Promise<void> {
  const { random, driver, note } = universe
  const own = random.fork(`settler ${String(index)}`)
  const [payer, worker] = [walletOf(index % 3), walletOf(3 + (index % 3))]
  const start = driver.seconds()
  const info: PaymentInfo = {
    operator: deployment.operator, payer: payer.address, receiver: worker.address, token: deployment.token, maxAmount: 1_000_000n + BigInt(index),
    preApprovalExpiry: start + 3_600, authorizationExpiry: start + 7_200, refundExpiry: start + 86_400, minFeeBps: 0, maxFeeBps: 1_300,
    feeReceiver: deployment.operator, salt: BigInt(`0x${own.hex(32)}`),
  }
  const hash = paymentInfoHash(info, deployment.chainId, deployment.escrow)
  const locked = await persist(universe, facilitators, `authorize ${String(index)}`, authorizeBody(info))
  note(`settler ${String(index)}: ${locked}`)
  if (locked !== 'done') return
  if (!paymentStateOf(driver.chain, hash).collected && driver.isQuiet) universe.violate(`payment ${hash} was said to be locked and is not`)
  const nonce: Hex = `0x${own.hex(32)}`
  const paid = await persist(universe, facilitators, `release ${String(index)}`, releaseBody(info, start + 800, nonce))
  note(`settler ${String(index)}: ${paid}`)
}

const attempts = 60

async function persist(universe: Universe, facilitators: Facilitators, key: string, body: object): Promise<'done' | 'refused' | 'given up'> {
  const bytes = Buffer.from(JSON.stringify(body))
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      const { status, body: text } = await universe.lines.exchange({
        label: `client asks ${key}`, from: null, to: facilitators.front, timeoutMs: 20_000,
        handle: (life) => facilitators.handle(life, { method: 'POST', path: '/settle', headers: { 'content-type': 'application/json', 'idempotency-key': key.replace(' ', '-') }, body: bytes }),
      })
      universe.note(`client: ${key}: ${String(status)} ${text.slice(0, 160)}`)
      const answer = JSON.parse(text) as { success?: boolean; errorCode?: string } // the facilitator's own words
      if (status === 200 && answer.success === true) return 'done'
      if (status < 500) return 'refused'
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      universe.note(`client: ${key}: ${error.message}`)
    }
    await new Promise<void>((resolve) => { universe.scheduler.after(1_000 * Math.min(attempt, 10), null, `client waits for ${key}`, resolve) })
  }
  return 'given up'
}

const extra = { escrowAddress: deployment.escrow, operatorAddress: deployment.operator, tokenCollector: deployment.collector }
const paymentRequirements = { scheme: 'escrow', network: `eip155:${String(deployment.chainId)}`, extra }

function authorizeBody(info: PaymentInfo): object {
  const authorization = {
    from: info.payer, to: deployment.collector, value: info.maxAmount, validAfter: 0n, validBefore: BigInt(info.preApprovalExpiry),
    nonce: authorizationNonce(info, deployment.chainId, deployment.escrow),
  }
  const signer = walletOf([0, 1, 2].find((index) => walletOf(index).address === info.payer) ?? 0)
  const signature = signer.sign(receiveWithAuthorizationDigest(tokenDomain, authorization))
  const wire = { ...authorization, value: authorization.value.toString(), validAfter: '0', validBefore: authorization.validBefore.toString() }
  return { x402Version: 2, scheme: 'escrow', action: 'authorize', payload: { authorization: wire, signature, paymentInfo: paymentInfoToWire(info) }, paymentRequirements }
}

function releaseBody(info: PaymentInfo, deadline: number, nonce: Hex): object {
  const signer = walletOf([0, 1, 2].find((index) => walletOf(index).address === info.payer) ?? 0)
  const signature = signer.sign(lifecycleOrderDigest({ action: 'release', amount: info.maxAmount, deadline, nonce, paymentInfo: info }, deployment.chainId))
  const payload = { paymentInfo: paymentInfoToWire(info), payer: info.payer, amount: info.maxAmount.toString(), lifecycleAuth: { signer: info.payer, deadline, nonce, signature } }
  return { x402Version: 2, scheme: 'escrow', action: 'release', payload, paymentRequirements }
}

import { paymentInfoHash, paymentStateCalldata } from '@ergon/protocols'
import { distributeFees } from '../settle/distribute-fees.ts'
import { Refusal, Unavailable } from '../errors.ts'
import { checkDeployment } from '../verify/escrow.ts'
import { readPaymentInfo } from '../wire/payment-info.ts'
import { readAddress, readOpenRecord, readRecord, readText } from '../wire/read.ts'
import { readBody, readTerms } from './body.ts'
import type { Context } from './context.ts'
import { ok } from './exchange.ts'
import { describeFailure, doubt } from './failure.ts'
import type { Router } from './router.ts'

const stateKeys = ['paymentInfo', 'payer', 'network', 'extra']

export function addEscrowRoutes(router: Router, context: Context): void {
  router.on('POST', '/escrow/state', async ({ request }) => {
    try {
      return ok(await readState(readBody(request).value, context))
    } catch (error) {
      const { status, headers, text, code, details } = describeFailure(error, context)
      return { status, headers, body: { error: `Escrow state query failed: ${text}`, errorCode: code, ...details } }
    }
  })
  router.on('POST', '/fees/distribute', async ({ request }) => {
    try {
      const { value, requestHash } = readBody(request)
      return ok(await distributeFees(value, readTerms(request, requestHash), context))
    } catch (error) {
      const failure = describeFailure(error, context)
      const { status, headers, text, code, details } = failure
      return {
        status,
        headers,
        body: { success: false, errorReason: text, errorCode: code, ...doubt(failure), ...details },
      }
    }
  })
}

async function readState(value: unknown, context: Context): Promise<object> {
  const body = readRecord(value, 'body', stateKeys)
  const name = readText(body['network'], 'network', 64)
  const network = context.networks.find(name)
  if (network?.escrow === undefined)
    throw new Refusal('UnsupportedNetwork', `Network ${name} does not support PaymentOperator (escrow not deployed)`)
  if (body['extra'] !== undefined) checkDeployment(network.escrow, readOpenRecord(body['extra'], 'extra'))
  const info = readPaymentInfo(body['paymentInfo'], readAddress(body['payer'], 'payer'))
  const hash = paymentInfoHash(info, network.chainId, network.escrow.escrow)
  const [answer] = await network.rpc.batch([
    { method: 'eth_call', params: [{ to: network.escrow.escrow, data: paymentStateCalldata(hash) }, 'latest'] },
  ])
  if (answer === undefined || typeof answer.result !== 'string' || answer.result.length < 194) {
    throw new Unavailable('rpc_unavailable', 'the chain node did not answer', { cause: answer?.error })
  }
  const state = answer.result
  const word = (index: number): bigint => BigInt(`0x${state.slice(2 + index * 64, 66 + index * 64)}`)
  return {
    hasCollectedPayment: word(0) !== 0n,
    capturableAmount: word(1).toString(),
    refundableAmount: word(2).toString(),
    paymentInfoHash: hash,
    network: name,
  }
}

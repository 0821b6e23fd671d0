import { networks } from '@ergon/protocols'
import { Refusal } from '../errors.ts'
import { readHex32, readInteger, readRecord, readText } from '../wire/read.ts'
import { requireAdmin } from './admin.ts'
import { readBody } from './body.ts'
import type { Context } from './context.ts'
import { ok } from './exchange.ts'
import { describeFailure } from './failure.ts'
import type { Router } from './router.ts'

/** No policy of a task binds its money for longer. */
const mostSec = 2_160 * 3_600

/**
 * The operator's clock of one payment (decision 0172): its standing order is judged as if so many seconds had passed.
 * On the local chain alone, whose money is made up.
 */
export function addElapseRoute(router: Router, context: Context): void {
  router.on('POST', '/admin/elapse', async ({ request }) => {
    try {
      requireAdmin(request, context.adminToken)
      return await Promise.resolve(ok(elapse(readBody(request).value, context)))
    } catch (error) {
      const { status, headers, text, code, details } = describeFailure(error, context)
      return Promise.resolve({ status, headers, body: { errorReason: text, errorCode: code, ...details } })
    }
  })
}

function elapse(value: unknown, context: Context): object {
  const body = readRecord(value, 'body', ['network', 'paymentHash', 'seconds'])
  const name = readText(body['network'], 'network', 64)
  const network = context.networks.find(name)
  if (network === undefined) throw new Refusal('UnsupportedNetwork', `Network ${name} is not served`)
  if (network.chainId !== networks.localnet.chainId)
    throw new Refusal('not_local', 'time passes by itself where money is real', { status: 403 })
  const hash = readHex32(body['paymentHash'], 'paymentHash')
  return { paymentHash: hash, ahead: context.elapsed.add(hash, readInteger(body['seconds'], 'seconds', mostSec)) }
}

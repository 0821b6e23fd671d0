import { createBuckets } from '@ergon/process'
import {
  bytesToHex,
  standingOrderDigest,
  standingOrderMaxSec,
  standingRevocationDigest,
  type Hex,
  type StandingOrder,
} from '@ergon/protocols'
import { Refusal } from '../errors.ts'
import type { ServedNetwork } from '../network/served-network.ts'
import { readWarrant } from '../settle/standing.ts'
import { isSignedBy, isSignedByContract } from '../verify/signature.ts'
import { readHex, readRecord, readText } from '../wire/read.ts'
import { readBody } from './body.ts'
import type { Context } from './context.ts'
import { ok } from './exchange.ts'
import { describeFailure } from './failure.ts'
import type { Router } from './router.ts'

/** An order costs nothing to make, and one that was taken back is kept until it ends: all of them share this. */
const all = { perSecond: 1, burst: 300 }

/**
 * Takes standing orders back (decision 0133): the payer needs no service for it, and no server can use the order
 * afterwards, whatever it says. A revocation only ever takes away, so its replay does no harm and it does not end.
 */
export function addStandingRoutes(router: Router, context: Context): void {
  const take = createBuckets(all, () => context.surroundings.monotonic())
  router.on('POST', '/standing-orders/revoke', async ({ request }) => {
    try {
      return ok(await revoke(readBody(request).value, context, () => take('all')))
    } catch (error) {
      const { status, headers, text, code, details } = describeFailure(error, context)
      return { status, headers, body: { revoked: false, errorReason: text, errorCode: code, ...details } }
    }
  })
}

async function revoke(value: unknown, { networks, standing, now }: Context, wait: () => number): Promise<object> {
  const body = readRecord(value, 'body', ['network', 'standingOrder', 'signature'])
  const name = readText(body['network'], 'network', 64)
  const network = networks.find(name)
  if (network === undefined) throw new Refusal('UnsupportedNetwork', `Network ${name} is not served`)
  if (standing === undefined) throw new Refusal('standing_unsupported', 'this facilitator counts no standing orders')
  const warrant = readWarrant(body['standingOrder'])
  if (warrant === undefined) throw new Refusal('invalid_payload', 'standingOrder is missing')
  const { order, signature } = warrant
  requireUsable(order, now())
  const digest = standingOrderDigest(order, network.chainId)
  const hash = bytesToHex(digest)
  const taken = standingRevocationDigest(hash, network.chainId)
  const revocation = readHex(body['signature'], 'signature', 8192)
  await requireSigned(network, { digest, signature, by: [order.payer], what: 'the standing order by its payer' })
  const by = [order.payer, order.spender]
  await requireSigned(network, { digest: taken, signature: revocation, by, what: 'the revocation by payer or spender' })
  const seconds = wait()
  if (seconds > 0)
    throw new Refusal('rate_limited', 'too many orders are taken back at once', {
      status: 429,
      details: { retry_after: seconds },
    })
  const pending = await standing.revoke({
    order: hash,
    network: network.name,
    payer: order.payer,
    notAfter: order.notAfter,
  })
  return { revoked: true, order: hash, pending }
}

/** What could release nothing is not kept. */
function requireUsable({ notBefore, notAfter }: StandingOrder, now: number): void {
  if (notAfter <= now) throw new Refusal('standing_over', 'the standing order is over')
  if (notAfter - notBefore > standingOrderMaxSec || notBefore > now + standingOrderMaxSec)
    throw new Refusal('standing_too_long', 'no release is let through by an order for more than a year')
}

type Claim = {
  readonly digest: Uint8Array
  readonly signature: Hex
  readonly by: readonly StandingOrder['payer'][]
  readonly what: string
}

/** A contract is asked last; who may have signed is in the order. Throws Unavailable when the chain does not tell. */
async function requireSigned({ rpc }: ServedNetwork, { digest, signature, by, what }: Claim): Promise<void> {
  if (by.some((one) => isSignedBy(digest, signature, one))) return
  for (const one of by) if (await isSignedByContract(rpc, digest, signature, one)) return
  throw new Refusal('invalid_signature', `${what} is not signed`)
}

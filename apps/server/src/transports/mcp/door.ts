import { MarketError } from '@ergon/core'
import type { FastifyRequest } from 'fastify'
import { demand } from '../../dispatch/limits.ts'
import { headerOf } from '../../dispatch/plan.ts'
import { count, prove, type ProveDeps } from '../../dispatch/prove.ts'
import type { RateVerdict } from '../../dispatch/rate-limit.ts'
import type { RawRequest } from '../../dispatch/request.ts'
import type { Sender } from './inner-call.ts'

export type DoorDeps = ProveDeps & {
  /** Hosts that lead here, lower case. */
  readonly hosts: ReadonlySet<string>
  readonly allowsOrigin: (origin: string) => boolean
}

/** What was learnt at the door, for headers of the answer. */
export type Admission = { rate: RateVerdict | null }

/**
 * Every request of the tool protocol is verified here, whatever it asks (spec §5.6): host and origin, signature, rate
 * limit, nonce. The nonce is spent at once: a tool's answer has no status that could tell of a replay (decision 0063).
 * @throws HOST_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, UNAUTHORIZED, RATE_LIMITED and the codes of signatures
 */
export async function admit(deps: DoorDeps, request: RawRequest, host: FastifyRequest['host'], admission: Admission): Promise<Sender> {
  if (!deps.hosts.has(host.toLowerCase())) throw new MarketError('HOST_NOT_ALLOWED')
  const origin = headerOf(request, 'origin')
  if (origin !== undefined && !deps.allowsOrigin(origin)) throw new MarketError('ORIGIN_NOT_ALLOWED', {}, { message: 'Pages of this origin may not call tools here.' })
  const principal = await prove(deps, request, false, () => Promise.resolve(null))
  admission.rate = count(deps, request, principal)
  demand(admission.rate, deps.now())
  if (principal === null) throw new MarketError('UNAUTHORIZED')
  await principal.consumeNonce()
  return { principal: { ...principal, consumeNonce: () => Promise.resolve() }, request }
}

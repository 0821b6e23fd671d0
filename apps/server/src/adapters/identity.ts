import { cutText, MarketError, type HeldAgent, type IdentityRegistry } from '@ergon/core'
import { isAddress, lowerAddress, registrationFile } from '@ergon/protocols'
import { createBoundedCache } from '../surroundings/bounded-cache.ts'
import type { FacilitatorAnswer, FacilitatorClient, Fields } from './facilitator/facilitator-client.ts'

const lookupMs = 5_000
/** A registration waits for its block; what takes longer is asked for again under its key. */
const registerMs = 20_000
/** Between the two steps of a rating: what is settled changes only where an agent is given away. */
const [maxKept, keptMs] = [10_000, 15_000]

type Registration = Parameters<IdentityRegistry['register']>[0]
type Registered = Awaited<ReturnType<IdentityRegistry['register']>>

/** ERC-8004 identities through the facilitator, which pays the gas and hands the minted agent to its wallet. */
export function createIdentityRegistry(facilitator: FacilitatorClient, baseUrl: string): IdentityRegistry {
  const kept = createBoundedCache<HeldAgent>(maxKept, keptMs)
  return {
    async lookup(network, wallet) {
      const answer = await facilitator.get(
        `/identity/${encodeURIComponent(network)}/owner/${lowerAddress(wallet)}`,
        lookupMs,
        network,
      )
      const ids = answer.kind === 'done' ? idsIn(answer.body) : undefined
      if (ids === undefined) throw new MarketError('identity_check_unavailable', { network })
      return ids[0] ?? null
    },
    async holder(network, agentId) {
      const place = `${network} ${String(agentId)}`
      const lately = kept.get(place)
      if (lately !== undefined) return lately
      const answer = await facilitator.get(
        `/identity/${encodeURIComponent(network)}/${String(agentId)}`,
        lookupMs,
        network,
      )
      if (answer.kind === 'refused' && answer.status === 404) return null
      const owner = answer.kind === 'done' ? answer.body['owner'] : undefined
      const wallet = answer.kind === 'done' ? (answer.body['agentWallet'] ?? owner) : undefined
      if (answer.kind !== 'done' || !isAddress(wallet) || !isAddress(owner))
        throw new MarketError('identity_check_unavailable', { network })
      const { agentUri } = answer.body
      const holder: HeldAgent = {
        owner: lowerAddress(owner),
        wallet: lowerAddress(wallet),
        uri: typeof agentUri === 'string' && agentUri !== '' ? agentUri : null,
        // A facilitator of before does not tell, and judges it when it is asked to rate.
        isSettled: answer.body['settled'] !== false,
      }
      if (holder.isSettled) kept.set(place, holder)
      return holder
    },
    async register(order) {
      const body = {
        x402Version: 1,
        network: order.network,
        agentUri: agentUriOf(order, baseUrl),
        recipient: lowerAddress(order.wallet),
      }
      return judge(
        await facilitator.post('/register', body, { timeoutMs: registerMs, key: order.key, network: order.network }),
      )
    },
  }
}

/** A wallet may own several agents; its first is the one that it goes by. */
function idsIn(body: Fields): readonly number[] | undefined {
  const ids = body['agentIds']
  if (!Array.isArray(ids)) return undefined
  const numbers = ids.map(agentIdOf)
  return numbers.every((id) => id !== undefined) ? numbers.toSorted((a, b) => a - b) : undefined
}

function agentIdOf(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : undefined
}

/**
 * The registration file travels inside the URI, so that an agent is described wherever the service itself cannot be
 * reached.
 */
function agentUriOf({ wallet, name, description }: Registration, baseUrl: string): string {
  const file = registrationFile({
    name: name ?? `Agent ${lowerAddress(wallet)}`,
    description: description ?? '',
    image: `${baseUrl}/icons/icon-512.png`,
    services: [{ name: 'Ergon', endpoint: baseUrl }],
  })
  return `data:application/json;base64,${Buffer.from(JSON.stringify(file), 'utf8').toString('base64')}`
}

function judge(answer: FacilitatorAnswer): Registered {
  if (answer.kind === 'unknown') return 'pending'
  if (answer.kind === 'unavailable')
    throw answer.spentForSec === undefined
      ? new MarketError('REGISTRATION_FAILED')
      : new MarketError('GAS_BUDGET_SPENT', { retry_after_sec: answer.spentForSec })
  const { body } = answer
  if (answer.kind === 'refused') {
    // Begun by another party a moment ago, or minted by a facilitator of before: the same key finishes it.
    if (answer.code === 'transfer_failed' || answer.code === 'registration_in_flight') return 'pending'
    throw new MarketError('REGISTRATION_FAILED', { facilitator_code: cutText(answer.code, 64) })
  }
  const agentId = agentIdOf(body['agentId'])
  if (agentId === undefined) return 'pending'
  const txHash = body['transferTransaction'] ?? body['transaction']
  return { agentId, txHash: typeof txHash === 'string' ? txHash : null }
}

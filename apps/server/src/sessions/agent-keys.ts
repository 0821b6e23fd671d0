import { createHash, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { AgentTier } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import { SignJWT } from 'jose'
import type { AgentKey } from '../config/agent-keys.ts'
import { demand } from '../dispatch/limits.ts'
import { createRateLimiter } from '../dispatch/rate-limit.ts'

export type AgentToken = {
  readonly token: string
  readonly agentId: number
  readonly tier: AgentTier
  readonly expiresAt: Date
}
/** @throws AGENT_KEYS_DISABLED, AGENT_KEY_REFUSED, RATE_LIMITED */
export type ExchangeAgentKey = (apiKey: string, ip: string) => Promise<AgentToken>

export type AgentKeyDeps = {
  /** Null: the exchange is off. */
  readonly keys: readonly AgentKey[] | null
  /** Thirty-two bytes that nothing else is keyed with. */
  readonly signingKey: Uint8Array
  readonly baseUrl: string
  readonly now: () => Date
}

const lifeSec = 86_400
const triesPerMinute = 10

/**
 * Exchanges a key for a token of the dashboard (spec §5.11, decision 0061). The token has a type of its own, so it
 * passes for no session, and bearers stay refused on this host.
 */
export function createAgentKeyExchange({ keys, signingKey, baseUrl, now }: AgentKeyDeps): ExchangeAgentKey {
  const tries = createRateLimiter(triesPerMinute, 60_000)
  const key = createSecretKey(signingKey)
  return async (apiKey, ip) => {
    if (keys === null) throw new MarketError('AGENT_KEYS_DISABLED')
    const at = now().getTime()
    demand(tries.take(ip, at), at)
    const known = keyBehind(keys, apiKey)
    if (known === undefined) throw new MarketError('AGENT_KEY_REFUSED')
    const { agentId, tier } = known
    const startSec = Math.floor(at / 1_000)
    const token = await new SignJWT({ agent_id: agentId, tier, type: 'agent' })
      .setProtectedHeader({ alg: 'HS256', typ: 'svc-dash+jwt' })
      .setSubject(`agent:${String(agentId)}`)
      .setAudience(baseUrl)
      .setIssuedAt(startSec)
      .setExpirationTime(startSec + lifeSec)
      .sign(key)
    return { token, agentId, tier, expiresAt: new Date((startSec + lifeSec) * 1_000) }
  }
}

/** Every hash is compared, so that the time tells nothing of how far a guess came. */
function keyBehind(keys: readonly AgentKey[], apiKey: string): AgentKey | undefined {
  const given = createHash('sha256').update(apiKey, 'utf8').digest()
  let found: AgentKey | undefined
  for (const one of keys) if (timingSafeEqual(given, one.sha256)) found = one
  return found
}

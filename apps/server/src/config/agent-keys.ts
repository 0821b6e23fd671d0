import { settingsJson } from '@ergon/process'
import { agentTiers, type AgentTier } from '@ergon/contract'
import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'

/** What is known of an agent key: never the key itself. */
export type AgentKey = { readonly sha256: Uint8Array; readonly agentId: number; readonly tier: AgentTier }

/** Null: no keys are exchanged. @throws ConfigError without repeating what the file says */
export function readAgentKeys(raw: RawSettings): readonly AgentKey[] | null {
  const file = raw.text('SVC_AGENT_KEYS')
  if (file === undefined) return null
  const rows = parse(file)
  const keys = rows.map((row, index) => readKey(row, index))
  if (new Set(keys.map(({ sha256 }) => Buffer.from(sha256).toString('hex'))).size < keys.length)
    throw new ConfigError('SVC_AGENT_KEYS names a key twice')
  return keys
}

function parse(file: string): readonly unknown[] {
  const value = settingsJson(file, (why, cause) => new ConfigError(`SVC_AGENT_KEYS cannot be read: ${why}`, { cause }))
  if (!Array.isArray(value)) throw new ConfigError('SVC_AGENT_KEYS must hold a JSON array')
  return value
}

function readKey(row: unknown, index: number): AgentKey {
  const fields: Readonly<Record<string, unknown>> = typeof row === 'object' && row !== null ? { ...row } : {}
  const { sha256, agent_id: agentId, tier: named } = fields
  const tier = agentTiers.find((one) => one === named)
  if (
    typeof sha256 !== 'string' ||
    !/^[0-9a-f]{64}$/i.test(sha256) ||
    typeof agentId !== 'number' ||
    !Number.isSafeInteger(agentId) ||
    agentId < 0 ||
    tier === undefined
  ) {
    throw new ConfigError(
      `SVC_AGENT_KEYS: entry ${String(index)} needs sha256 (64 hex digits), agent_id (a whole number) and tier (${agentTiers.join(', ')})`,
    )
  }
  return { sha256: Buffer.from(sha256, 'hex'), agentId, tier }
}

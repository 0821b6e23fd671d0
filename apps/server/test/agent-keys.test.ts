import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, readEnv } from '../src/index.ts'
import { readAgentKeys } from '../src/config/agent-keys.ts'
import { createAgentKeyExchange } from '../src/sessions/agent-keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-keys-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function read(content: string): ReturnType<typeof readAgentKeys> {
  const file = join(folder, 'keys.json')
  writeFileSync(file, content)
  return readAgentKeys(readEnv({ SVC_AGENT_KEYS: file }))
}

const sha256 = createHash('sha256').update('svc_free_0123456789').digest('hex')
const entry = { sha256, agent_id: 3, tier: 'free' }
const exchange = (keys: ReturnType<typeof readAgentKeys>) =>
  createAgentKeyExchange({
    keys,
    signingKey: new Uint8Array(32),
    baseUrl: 'http://market.test',
    now: () => new Date('2026-11-21T12:00:00Z'),
  })

describe('agent keys', () => {
  test('are off unless a file names them (spec §5.4)', async () => {
    expect(readAgentKeys(readEnv({}))).toBeNull()
    await expect(exchange(null)('svc_free_0123456789', 'ip')).rejects.toThrow(
      expect.objectContaining({ code: 'AGENT_KEYS_DISABLED' }) as Error,
    )
  })

  test.each([
    ['no JSON', 'x'],
    ['no array', '{}'],
    ['a plain key', JSON.stringify([{ ...entry, sha256: 'svc_free_0123456789' }])],
    ['a tier nobody knows', JSON.stringify([{ ...entry, tier: 'gold' }])],
    ['no agent', JSON.stringify([{ ...entry, agent_id: '3' }])],
    ['a key twice', JSON.stringify([entry, { ...entry, sha256: sha256.toUpperCase() }])],
  ])('a file with %s is refused without repeating it', (_what, content) => {
    expect(() => read(content)).toThrow(ConfigError)
    expect(() => read(content)).not.toThrow('0123456789')
  })

  test('a key is known by its hash, until the address has tried too often', async () => {
    const ask = exchange(read(JSON.stringify([{ ...entry, sha256: '0'.repeat(64) }, entry])))
    expect(await ask('svc_free_0123456789', 'ip')).toMatchObject({
      agentId: 3,
      tier: 'free',
      expiresAt: new Date('2026-11-22T12:00:00Z'),
    })
    for (let count = 0; count < 9; count += 1)
      await expect(ask('svc_free_012345678', 'ip')).rejects.toThrow(
        expect.objectContaining({ code: 'AGENT_KEY_REFUSED' }) as Error,
      )
    await expect(ask('svc_free_0123456789', 'ip')).rejects.toThrow(
      expect.objectContaining({ code: 'RATE_LIMITED' }) as Error,
    )
    expect((await ask('svc_free_0123456789', 'elsewhere')).agentId).toBe(3)
  })
})

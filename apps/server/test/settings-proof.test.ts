import { expect, test, vi } from 'vitest'
import type { Proof } from '../src/adapters/proof/prove-settings.ts'
import { ConfigError } from '../src/config/config-error.ts'
import { startSettingsProof } from '../src/settings-proof.ts'

const silent: Proof = { faults: [], silent: ['the facilitator'] }
const agreed: Proof = { faults: [], silent: [] }
const contradicted: Proof = { faults: ['the treasury is another one'], silent: [] }

function aLog() {
  const lines: string[] = []
  const say = (line: unknown): void => {
    lines.push(String(line))
  }
  return { lines, warn: say, error: say, info: say }
}

/** Answers these in turn, and the last one from then on. */
function answering(...proofs: readonly Proof[]) {
  let asked = 0
  return { prove: () => Promise.resolve(proofs[Math.min((asked += 1), proofs.length) - 1] ?? agreed) }
}

test('a part that starts together with this process is waited for', async () => {
  const log = aLog()
  await using proof = await startSettingsProof([answering(silent, silent, agreed)], log)
  expect([proof.faults(), log.lines]).toEqual([[], []])
})

test('settings that contradict those of a part which was waited for end the start', async () => {
  await expect(startSettingsProof([answering(silent, contradicted)], aLog())).rejects.toThrow(ConfigError)
})

test('a part that stays silent is named, and the start goes on without it', async () => {
  const log = aLog()
  await using proof = await startSettingsProof([answering(silent)], log)
  expect(proof.faults()).toEqual([])
  expect(log.lines).toEqual(['the facilitator cannot be reached; payments wait, and the settings are not proven yet'])
})

const astray: Proof = { faults: [], silent: ['the node of base'], strangers: ['the node of base is on chain 1'] }

test('a node of another chain ends the start', async () => {
  await expect(startSettingsProof([answering(astray)], aLog())).rejects.toThrow('the node of base is on chain 1')
})

test('a node that turns up on another chain later is said once, and contradicts nothing of the other networks', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const log = aLog()
    const parts = answering(agreed, astray)
    await using proof = await startSettingsProof([parts], log)
    await vi.advanceTimersByTimeAsync(200_000)
    expect([proof.faults(), log.lines]).toEqual([[], ['the node of base is on chain 1']])
  } finally {
    vi.useRealTimers()
  }
})

import { expectAuthorizationUsed, expectCaptured, expectTransfer, type ExpectedEvent, type Hex } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import type { ChainLog } from '../../src/adapters/chain/log-search.ts'
import type { Receipt } from '../../src/adapters/chain/chain-reader.ts'
import type { ServedNetwork } from '../../src/adapters/networks.ts'
import { confirm } from '../../src/adapters/rails/confirm.ts'

/**
 * That money moved is believed when the chain's receipt shows the expected event of the expected contract, whatever
 * the facilitator says (rule of money 5).
 */

const txHash = `0x${'7'.repeat(64)}`
const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`
const [token, escrow, from, to] = ['a', 'b', 'c', 'd'].map((digit): Hex => `0x${digit.repeat(40)}`) as [
  Hex,
  Hex,
  Hex,
  Hex,
]

const captured = [expectCaptured(escrow, bytes32('1'), 5_000_000n)]
const charged = [expectAuthorizationUsed(token, from, bytes32('2')), expectTransfer(token, from, to, 5_000_000n)]

/** The log that shows an expected event, with other words around the one that is expected. */
function logOf({ emitter, events, indexed, word }: ExpectedEvent, index: number): ChainLog {
  const words = [0, 1, 2].map((at) => (at === word?.index ? BigInt(word.value) : 1_300n))
  return {
    address: emitter,
    topics: [events[0] ?? bytes32('0'), ...indexed.map((topic) => topic ?? bytes32('9'))],
    data: `0x${words.map((one) => one.toString(16).padStart(64, '0')).join('')}`,
    transactionHash: bytes32('7'),
    blockNumber: 12n,
    logIndex: index,
  }
}
const logsOf = (expected: readonly ExpectedEvent[]): readonly ChainLog[] => expected.map(logOf)

/** A node that answers every question for a receipt with this one. */
const nodeWith = (receipt: Receipt | null): ServedNetwork =>
  ({ chain: { receipt: () => Promise.resolve(receipt) } }) as unknown as ServedNetwork // nothing else is asked
const time = { now: () => new Date(0), monotonic: () => 0, delay: () => Promise.resolve() }

async function said(receipt: Receipt | null, expected: readonly ExpectedEvent[]): Promise<string> {
  const { answer } = await confirm({ network: nodeWith(receipt), txHash, until: -10_000, time }, expected)
  return answer.outcome
}

describe.each([
  ['a payout', captured],
  ['a direct payment', charged],
] as const)('%s that the facilitator reports', (_, expected) => {
  const logs = logsOf(expected)
  const changed = (change: Partial<ChainLog>): Receipt => ({
    succeeded: true,
    blockNumber: 12n,
    logs: logs.map((log, at) => (at === logs.length - 1 ? { ...log, ...change } : log)),
  })

  test('is settled, at the place of its first event, when the receipt shows every expected event', async () => {
    const node = nodeWith({ succeeded: true, blockNumber: 12n, logs })
    const { answer } = await confirm({ network: node, txHash, until: -10_000, time }, expected)
    expect(answer).toEqual({ outcome: 'settled', txHash, blockNumber: 12n, logIndex: 0 })
  })

  test.each([
    ['has no receipt', null],
    ['was reverted', { succeeded: false, blockNumber: 12n, logs }],
    ['shows no event', { succeeded: true, blockNumber: 12n, logs: [] }],
    ['lacks the last event', { succeeded: true, blockNumber: 12n, logs: logs.slice(0, -1) }],
    ['shows the event of another contract', changed({ address: `0x${'e'.repeat(40)}` })],
    ['shows another amount', changed({ data: `0x${'0'.repeat(192)}` })],
    ['shows another payment', changed({ topics: [logs.at(-1)?.topics[0] ?? '0x', bytes32('8'), bytes32('8')] })],
    ['shows another event', changed({ topics: [bytes32('3'), ...(logs.at(-1)?.topics.slice(1) ?? [])] })],
  ] as const)('and that %s is not known to have happened', async (_what, receipt) => {
    expect(await said(receipt, expected)).toBe('unknown')
  })
})

import { expect, test } from 'vitest'
import { directlyPaid, directNonceOf } from './direct-nonce.ts'

const taskId = '01a21485-7b29-775d-ab73-c1be5e8f5147'

test.each(['payout', 'fee'] as const)('the nonce of a %s says which task and which part it pays', (part) => {
  for (const random of [0n, 1n, 2n ** 120n - 1n, 2n ** 256n - 1n]) {
    const nonce = directNonceOf(taskId, part, random)
    expect(nonce).toMatch(/^0x01a214857b29775dab73c1be5e8f51470[12][0-9a-f]{30}$/)
    expect(directlyPaid(nonce)).toEqual({ taskId, part })
  }
})

test('two nonces of one part differ where their randomness does', () => {
  expect(directNonceOf(taskId, 'fee', 1n)).not.toBe(directNonceOf(taskId, 'fee', 2n))
})

test.each([
  ['of a client’s own making', `0x${'5e'.repeat(32)}`],
  ['of an id of ours and no part', `0x01a214857b29775dab73c1be5e8f5147${'00'.repeat(16)}`],
  ['of an id of ours and a part nobody knows', `0x01a214857b29775dab73c1be5e8f514703${'00'.repeat(15)}`],
  ['that is too short', '0x01'],
  ['that is no number', 'nonce'],
])('a nonce %s says nothing', (_what, nonce) => {
  expect(directlyPaid(nonce)).toBeNull()
})

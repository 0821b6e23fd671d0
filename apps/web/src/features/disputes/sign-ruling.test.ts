import { expect, test } from 'vitest'
import { disputeRulingTypedData, privateKeySigner } from '@ergon/protocols'
import { ChallengeMismatch } from '@ergon/sdk'
import { signRuling } from './sign-ruling.ts'

const signer = privateKeySigner(`0x${'11'.repeat(32)}`)
const id = '018f0000-0000-7000-8000-000000000001'
const said = {
  dispute_id: id,
  verdict: 'split',
  split_pct: 40,
  reason: 'Half of it is there.',
  criteria: ['The gate is on it.'],
} as const
const words = {
  disputeId: id,
  taskId: '018f0000-0000-7000-8000-000000000002',
  arbiter: signer.address,
  verdict: 'split',
  payerPct: 40,
  reason: said.reason,
  criteria: said.criteria,
  deadline: 1_800_000_000,
  nonce: `0x${'22'.repeat(32)}`,
} as const
const challenge = (other: Partial<typeof words>) => ({
  dispute_id: id,
  nonce: words.nonce,
  deadline: words.deadline,
  typed_data: disputeRulingTypedData({ ...words, ...other }, 31337) as never,
})

test('a ruling is signed as the page shows it', async () => {
  const asked = { ...said, criteria: [...said.criteria] }
  expect(await signRuling(signer, challenge({}), asked)).toMatch(/^0x[0-9a-f]{130}$/)
  const all = { dispute_id: id, verdict: 'refund' as const, reason: said.reason, criteria: [...said.criteria] }
  const refund = challenge({ verdict: 'refund', payerPct: 100 } as never)
  expect(await signRuling(signer, refund, all)).toMatch(/^0x/)
})

test.each([
  { disputeId: words.taskId },
  { arbiter: '0x000000000000000000000000000000000000dead' },
  { verdict: 'release' },
  { payerPct: 60 },
  { reason: 'Bought.' },
  { criteria: [] },
])('one that differs in %o is not signed', async (other) => {
  const asked = { ...said, criteria: [...said.criteria] }
  await expect(signRuling(signer, challenge(other as never), asked)).rejects.toBeInstanceOf(ChallengeMismatch)
})

import { toBase58 } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { planChannelEnd, treasuryOwners, type ChannelAccount, type ChannelStanding } from '../src/index.ts'

const keyOf = (byte: number): string => toBase58(new Uint8Array(32).fill(byte))
const [one, other, third] = [keyOf(4), keyOf(5), keyOf(6)]
const account: ChannelAccount = {
  ...{ bump: 255, status: 'open', salt: 1n, deposit: 1_000n, settled: 100n, payoutWatermark: 100n },
  ...{ closureStartedAt: 0n, payerWithdrawnAt: 0n, gracePeriodSec: 900, distributionHash: '0x00' },
  ...{ payer: one, payee: other, authorizedSigner: third, mint: one, rentPayer: other },
  openSlot: 1n,
}
const last = {
  voucher: { channelId: third, cumulative: 300n, expiresAt: 0n },
  signature: '1'.repeat(64),
}
const now = 10_000n
const leaving = { status: 'closing', closureStartedAt: now - 10n } as const
const left = { status: 'closing', closureStartedAt: now - 901n } as const

type Given = Partial<ChannelAccount> & { readonly cannot?: 'payer' | 'payee'; readonly unsaid?: true }

function planned({ cannot, unsaid, ...change }: Given): string {
  const changed = { ...account, ...change }
  const standing: ChannelStanding = {
    account: changed,
    last: unsaid === true ? null : last,
    settled: unsaid === true ? changed.settled : 300n,
    nowSec: now,
    isPayeePayable: cannot !== 'payee',
    isPayerPayable: cannot !== 'payer',
    closing: {
      ...{ channelId: third, channel: changed, splits: [{ recipient: other, bps: 8_700 }] },
      ...{ treasuryOwner: treasuryOwners.localnet, missingAccountsOf: [] },
    },
  }
  const plan = planChannelEnd(standing, { channelProgram: one })
  return typeof plan === 'string' ? plan : `${plan.act} ${String(plan.settled)} in ${String(plan.instructions.length)}`
}

test.each<[string, Given, string]>([
  ['is open, and both can be paid: it ends', {}, 'end 300 in 3'],
  ['is open, and its payer cannot be paid: the payee is', { cannot: 'payer' }, 'pay 300 in 3'],
  ['is open, and what its payee has is all: it waits for its payer', { cannot: 'payer', unsaid: true }, 'waits'],
  ['is open, and more is settled than was paid', { cannot: 'payer', unsaid: true, settled: 200n }, 'pay 200 in 1'],
  ['is open, and its payee cannot be paid: nothing moves', { cannot: 'payee' }, 'payee waits'],
  ['is left, and both can be paid: it ends', leaving, 'end 300 in 3'],
  ['is left, and one cannot be paid: the voucher is brought', { ...leaving, cannot: 'payer' }, 'bring 300 in 2'],
  ['is left, and the other cannot', { ...leaving, cannot: 'payee' }, 'bring 300 in 2'],
  ['is left, and there is none to bring', { ...leaving, cannot: 'payer', unsaid: true }, 'waits'],
  ['is left for good: nobody waits for its payer', { ...left, cannot: 'payer', unsaid: true }, 'end 100 in 2'],
  ['is left for good, and its payee cannot be paid', { ...left, cannot: 'payee', unsaid: true }, 'payee waits'],
  ['is sealed', { status: 'sealed' }, 'end 300 in 1'],
  [
    'is sealed, and its payer may yet take the rest',
    { status: 'sealed', closureStartedAt: now - 10n, cannot: 'payer' },
    'waits',
  ],
  [
    'is sealed, and its payer had its time',
    { status: 'sealed', closureStartedAt: now - 900n, cannot: 'payer' },
    'end 300 in 1',
  ],
  ['is over', { status: 'distributed' }, 'waits'],
])('a channel that %s', (_what, given, expected) => {
  expect(planned(given)).toBe(expected)
})

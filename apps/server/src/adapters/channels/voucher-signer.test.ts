import { signVoucher } from '@ergon/channels'
import { expect, test } from 'vitest'
import { createVoucherSigner } from './voucher-signer.ts'

test('a voucher has the one signature that every signer of its key makes', () => {
  const seed = new Uint8Array(32).fill(1)
  const channelId = 'US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx'
  const signer = createVoucherSigner(seed)
  // The published vector, and more of them.
  expect(signer.sign(channelId, 1_000_000n)).toBe(
    '3wMQmu6rYjW6yABbvRn4tr4iGSvFaTnSKU8ZU5SLKK6kyg8Pig38d5t8RQURUHzreYrLvqQdh6y4Eh5VzbHrbCzw',
  )
  for (const cumulative of [0n, 1n, 2n ** 40n])
    expect(signer.sign(channelId, cumulative)).toBe(signVoucher({ channelId, cumulative, expiresAt: 0n }, seed))
})

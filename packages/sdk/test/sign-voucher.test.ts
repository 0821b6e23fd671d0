import { isSignedVoucher } from '@ergon/channels'
import { expect, test } from 'vitest'
import { signVoucher, solanaSeedSigner } from '../src/index.ts'

test('a voucher of a buyer is over the channel and all that is promised, by the key that was named', async () => {
  const signer = solanaSeedSigner(new Uint8Array(32).fill(9))
  const channel_id = solanaSeedSigner(new Uint8Array(32).fill(10)).address
  const given = await signVoucher(signer, { channel_id, cumulative: 1_250n })
  expect(given).toMatchObject({
    voucher: { channelId: channel_id, cumulativeAmount: '1250', expiresAt: 0 },
    signer: signer.address,
    signatureType: 'ed25519',
  })
  const said = { channelId: channel_id, cumulative: 1_250n, expiresAt: 0n }
  expect(isSignedVoucher(said, given.signature, signer.address)).toBe(true)
  expect(isSignedVoucher({ ...said, cumulative: 1_251n }, given.signature, signer.address)).toBe(false)
})

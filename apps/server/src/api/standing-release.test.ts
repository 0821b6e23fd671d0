import type { Market, WalletCaller } from '@ergon/core'
import { privateKeySigner, type Signer } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { createStandingRelease } from './standing-release.ts'

const spender = privateKeySigner(`0x${'11'.repeat(32)}`)
const former = privateKeySigner(`0x${'22'.repeat(32)}`)
const typedData = {
  domain: { name: 'Release', version: '1', chainId: 31337 },
  types: { PaymentInfo: [{ name: 'token', type: 'address' }], Release: [{ name: 'paymentInfo', type: 'PaymentInfo' }] },
  primaryType: 'Release',
  message: { paymentInfo: { token: `0x${'33'.repeat(20)}` } },
}
// Of what a market answers, only the release is read; of who calls, only the grant.
const release = { deadline: 2_000_000_000, nonce: `0x${'44'.repeat(32)}`, typedData }
const market = { approveChallenge: () => Promise.resolve({ release }) } as unknown as Pick<Market, 'approveChallenge'>
const caller = { delegation: { grantId: 'a grant' } } as unknown as WalletCaller

const releaseBy = (named: Signer) =>
  createStandingRelease({ market, findWarrant: () => Promise.resolve({ spender: named.address }), spender })(
    caller,
    'a submission',
  )

test('a standing order goes with a release that its own spender signs', async () => {
  expect(await releaseBy(spender)).toMatchObject({
    signer: spender.address.toLowerCase(),
    warrant: { spender: spender.address },
  })
})

test('one for the spender of a former secret goes with none, so that the wallet is asked', async () => {
  expect(await releaseBy(former)).toBeNull()
})

import { challengeHeader, mainnetChannelProgram, readCredential, type SessionRequest } from '@ergon/channels'
import { expect, test } from 'vitest'
import { createPayingFetch, PaymentRefused, solanaSeedSigner } from '../src/index.ts'

const [buyer, operator, seller, mint] = [1, 2, 3, 4].map((byte) => solanaSeedSigner(new Uint8Array(32).fill(byte)))
const url = 'http://gateway.test/weather'

/** A gateway that refuses each opening, and the channels that it could open: by id, how much was signed for. */
function refusingGateway(vouchers: 'client' | 'operator') {
  const signed = new Map<string, bigint>()
  const request: SessionRequest = {
    ...{
      amount: 2_500n,
      recipient: operator?.address ?? '',
      currency: mint?.address ?? '',
      network: 'localnet' as const,
    },
    ...{ minimumDeposit: 10_000n, suggestedDeposit: 10_000n, channelProgram: mainnetChannelProgram, decimals: 6 },
    ...{ operator: operator?.address ?? '', voucherSigner: vouchers, authorizedSigner: operator?.address ?? '' },
    ...{ gracePeriodSec: 900, splits: [{ recipient: seller?.address ?? '', bps: 8_700 }] },
    ...{ recentBlockhash: mint?.address ?? '', recentSlot: 7n },
  }
  const header = challengeHeader({ id: 'a challenge', realm: 'gateway.test', request })
  const ask: typeof fetch = (_url, init) => {
    const authorization = new Headers(init?.headers).get('authorization')
    const action = authorization === null ? undefined : readCredential(authorization).action
    if (action?.action === 'open') signed.set(action.channelId, action.deposit)
    const answer = { status: 402, headers: { 'www-authenticate': header } }
    return Promise.resolve(Response.json({ error: 'refused' }, answer))
  }
  return { ask, signed }
}

test.each(['operator', 'client'] as const)(
  'where the %s signs vouchers, a refused opening is signed again as the same, and binds its deposit once',
  async (vouchers) => {
    if (buyer === undefined) throw new Error('there is no buyer')
    const gateway = refusingGateway(vouchers)
    const options = { signer: buyer, cap: 12_000n, network: 'localnet', mint: mint?.address ?? '', vouchers } as const
    const paying = createPayingFetch({ ...options, fetch: gateway.ask })
    const found: string[] = []
    for (let call = 0; call < 3; call += 1)
      found.push(
        await paying.fetch(url).then(
          () => 'paid',
          (error: unknown) => (error instanceof PaymentRefused ? error.code : String(error)),
        ),
      )
    expect(found).toEqual(['refused', 'refused', 'refused'])
    expect([...gateway.signed.values()]).toEqual([10_000n])
    expect(paying.channels()).toMatchObject([{ channelId: [...gateway.signed.keys()][0], deposit: 10_000n }])
  },
)

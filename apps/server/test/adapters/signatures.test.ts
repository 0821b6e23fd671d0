import { MarketError } from '@ergon/core'
import { paymentInfoHash, networks, type Hex } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  amount,
  asTypedData,
  authorizeOrder,
  captureOrder,
  signedAuth,
  signedTransfer,
  soon,
  termsOf,
  type Terms,
} from './orders.ts'
import { asset, payer, rpc, startRig, stranger, treasury, worker, type Rig } from './rig.ts'
import { forged, forgedPayments, type DirectEnvelope, type Envelope } from './forged-authorizations.ts'

describe('payment signatures', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig()
  })
  afterAll(async () => {
    await rig[Symbol.asyncDispose]()
  })

  const now = (): Date => new Date()
  const read = async (raw: string, given: Terms = {}): Promise<unknown> =>
    rig.adapters.signatures.readEscrowAuthorization(raw, termsOf(given), now())
  const codeOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'accepted',
      (error: unknown) => (error instanceof MarketError ? error.code : `not a MarketError: ${String(error)}`),
    )

  test('what the policy of a task needs is asked for, and less is refused with both figures', async () => {
    const deadline = new Date(Date.now() + 86_400_000)
    const boundUntil = new Date(deadline.getTime() + 408 * 3_600_000)
    const needed = Math.floor(boundUntil.getTime() / 1_000)
    const { signatures } = rig.adapters
    const challenge = signatures.escrowChallenge(termsOf({ deadline, boundUntil }), now())
    const withRoom = needed + 72 * 3_600
    expect(challenge.boundUntil.getTime() / 1_000).toBe(withRoom)
    const enough = await signedAuth(rig.adapters, { deadline, boundUntil })
    const read = await signatures.readEscrowAuthorization(enough, termsOf({ deadline, boundUntil }), now())
    expect(read.payment.authorizationExpiry).toBe(withRoom)
    const less = await signedAuth(rig.adapters, { deadline })
    await expect(
      signatures.readEscrowAuthorization(less, termsOf({ deadline, boundUntil }), now()),
    ).rejects.toMatchObject({
      code: 'INVALID_PAYMENT_AUTH',
      details: {
        needed_authorization_expiry: needed,
        authorization_expiry: expect.toSatisfy((signed: number) => signed < needed),
      },
    })
  })

  test('an escrow challenge, signed, is read back as the payment the chain will know', async () => {
    const deadline = new Date(Date.now() + 3 * 86_400_000)
    const raw = await signedAuth(rig.adapters, { deadline })
    const { payment, authorization } = await rig.adapters.signatures.readEscrowAuthorization(
      raw,
      termsOf({ deadline }),
      now(),
    )
    const { hash, network, asset: of, ...info } = payment
    expect({ network, of }).toEqual({ network: 'localnet', of: asset })
    expect(info).toMatchObject({
      payer: payer.address,
      receiver: worker.address,
      maxAmount: 1_000_000n,
      minFeeBps: 0,
      maxFeeBps: 1_300,
    })
    const { escrow } = networks.localnet
    expect(hash).toBe(paymentInfoHash(asInfo(info), 31_337, escrow?.escrow ?? '0x'))
    expect(info.authorizationExpiry).toBeGreaterThanOrEqual(deadline.getTime() / 1000 + 7 * 86_400 - 1)
    expect(info.refundExpiry).toBe(info.authorizationExpiry + 7 * 86_400)
    expect(authorization).toEqual({
      validAfter: 0n,
      validBefore: BigInt(info.preApprovalExpiry),
      nonce: expect.any(String),
      signature: expect.any(String),
    })
  })

  test('two challenges for the same terms are two payments', async () => {
    const [one, other] = await Promise.all([authorizeOrder(rig.adapters), authorizeOrder(rig.adapters)])
    expect(one.payment.hash).not.toBe(other.payment.hash)
  })

  test.each(forged.map(([what, code, change, terms]) => [what, code, change, terms ?? {}] as const))(
    'an escrow authorization that %s is refused with %s',
    async (_what, code, change, terms) => {
      // One deadline for what is signed and what is read, however long the signing takes.
      const { deadline } = termsOf()
      const envelope = JSON.parse(await signedAuth(rig.adapters, { deadline })) as Envelope // as the adapter built it
      const changed = change(envelope)
      const raw = typeof changed === 'string' ? changed : JSON.stringify(Array.isArray(changed) ? changed : envelope)
      expect(await codeOf(read(raw, { deadline, ...terms }))).toBe(code)
    },
  )

  test('nobody is paid who is the treasury, or the payer under our own rows', async () => {
    const terms = { receiver: treasury, deadline: termsOf().deadline }
    expect(await codeOf(read(await signedAuth(rig.adapters, terms), terms))).toBe('FORBIDDEN_RECEIVER')
    expect(await codeOf(signedAuth(rig.adapters, { receiver: payer.address }))).toBe('SELF_PAYMENT_BLOCKED')
  })

  test('a release order counts when its payer signed it for this payment and amount, now', async () => {
    const { signatures } = rig.adapters
    const { payment } = await authorizeOrder(rig.adapters)
    const { order } = await captureOrder(rig.adapters, payment, 1_000_000n)
    const check = (changes: Partial<typeof order>, atomic = 1_000_000n, at = now()): Promise<string> =>
      codeOf(signatures.checkReleaseOrder({ ...order, ...changes }, payment, amount(atomic), at))
    expect(await check({})).toBe('accepted')
    const later = (sec: number): Date => new Date(Date.now() + sec * 1_000)
    const other = await captureOrder(rig.adapters, payment, 1_000_000n, stranger)
    expect(
      await Promise.all([
        check({}, 999_999n),
        check({}, 1_000_000n, later(601)),
        check({}, 1_000_000n, later(-400)),
        check({ deadline: order.deadline - 1 }),
        check({ nonce: `0x${'3'.repeat(64)}` }),
        check({ signer: stranger.address }),
        check({ signature: '0x1234' }),
        check({ signature: 'no hex' }),
        check({ nonce: other.order.nonce, deadline: other.order.deadline, signature: other.order.signature }),
      ]),
    ).toEqual(Array.from({ length: 9 }, () => 'LIFECYCLE_ORDER_INVALID'))
    const elsewhere = await authorizeOrder(rig.adapters)
    expect(await codeOf(signatures.checkReleaseOrder(order, elsewhere.payment, amount(1_000_000n), now()))).toBe(
      'LIFECYCLE_ORDER_INVALID',
    )
  })

  test('a direct payment is read back as it was signed', async () => {
    const terms = { network: 'localnet', from: payer.address, to: worker.address, amount: amount(870_000n) }
    const raw = await signedTransfer(rig.adapters, worker.address, 870_000n)
    const plain = await rig.adapters.signatures.readDirectPayment(raw, terms, now())
    expect(plain).toMatchObject({
      network: 'localnet',
      from: payer.address,
      to: worker.address,
      amount: terms.amount,
      validAfter: 0n,
    })
    expect(await rig.adapters.signatures.readDirectPayment(Buffer.from(raw).toString('base64'), terms, now())).toEqual(
      plain,
    )
  })

  test.each(forgedPayments)('a direct payment that %s is refused with %s', async (_what, code, change) => {
    const transfer = await signedTransfer(rig.adapters, worker.address, 870_000n)
    const envelope = JSON.parse(transfer) as DirectEnvelope // as the adapter built it
    const changed = change(envelope)
    const terms = { network: 'localnet', from: payer.address, to: worker.address, amount: amount(870_000n) }
    expect(
      await codeOf(
        rig.adapters.signatures.readDirectPayment(
          typeof changed === 'string' ? changed : JSON.stringify(envelope),
          terms,
          now(),
        ),
      ),
    ).toBe(code)
  })

  test('an approval names one submission, its payer and the token of its network', () => {
    const document = asTypedData(
      rig.adapters.signatures.releaseApproval(
        { submissionId: 's', taskId: 't', amount: amount(5n), payer: payer.address },
        now(),
      ),
    )
    expect(document).toMatchObject({
      primaryType: 'ReleaseApproval',
      domain: { chainId: 31_337 },
      message: { submissionId: 's', taskId: 't', amount: '5', payer: payer.address },
    })
  })

  test('the payer takes held money back with the call that reclaim gives, once the authorization has expired', async () => {
    const order = await authorizeOrder(rig.adapters)
    await rig.adapters.rails('localnet').send(order, 10_000, soon())
    const { escrow, chainId, calldata } = rig.adapters.signatures.reclaimCall(order.payment)
    expect(chainId).toBe(31_337)
    const call = { from: payer.address, to: escrow, data: calldata as Hex } // the adapter built it
    await expect(rpc(rig.chain.rpcUrl, 'eth_call', [call, 'latest'])).rejects.toThrow(
      /aa5674ad|BeforeAuthorizationExpiry|revert/i,
    )
    const past = `0x${(order.payment.authorizationExpiry + 1).toString(16)}`
    expect(await rpc(rig.chain.rpcUrl, 'eth_call', [call, 'latest', {}, { time: past }])).toBe('0x')
  })

  test('the treasury is what the operator contract says', async () => {
    expect(await rig.adapters.signatures.treasury('localnet', asset)).toBe(treasury)
  })
})

function asInfo(info: object) {
  return info as Parameters<typeof paymentInfoHash>[0] // the same members, with addresses as plain text
}

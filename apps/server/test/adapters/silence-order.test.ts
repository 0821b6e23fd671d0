import { parseStandingOrder, signEscrowAuthorization, type StandingOrder } from '@ergon/protocols'
import type { CaptureOrder, Payment } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdapters } from '../../src/adapters/index.ts'
import { amount, asTypedData, freshKey, soon, termsOf, type Terms } from './orders.ts'
import { party, payer, startRig, type Rig } from './rig.ts'

/** The standing order by which silence pays, on a real chain with a real facilitator (decision 0158). */
let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig[Symbol.asyncDispose]())

const now = (): Date => new Date()
const hours = 3

type Consented = { readonly payment: Payment; readonly raw: string; readonly auth: string; readonly terms: Terms }

/** The challenge of an assignment, both of its documents signed; `change` alters the order before. */
async function consented(
  change: (order: StandingOrder) => Partial<Record<keyof StandingOrder, unknown>> = () => ({}),
  silentAfterHours = hours,
  signer = payer,
): Promise<Consented> {
  const terms = { deadline: new Date(Date.now() + 86_400_000), silentAfterHours }
  const { signatures } = rig.adapters
  const challenge = signatures.escrowChallenge(termsOf(terms), now())
  const { standing } = challenge
  if (standing === null) throw new Error('no standing order was asked for')
  const auth = await signEscrowAuthorization(
    { typed_data: asTypedData(challenge.typedData), envelope: challenge.envelope },
    payer,
  )
  const { payment } = await signatures.readEscrowAuthorization(auth, termsOf(terms), now())
  const { order } = parseStandingOrder({ ...standing.order, signature: '0x' })
  const words = { ...standing.order, ...change(order) }
  const typed = asTypedData(standing.typedData)
  const message = Object.fromEntries(
    Object.keys(typed.message).map((name) => [name, String(words[name as keyof typeof words])]),
  )
  const signature = await signer.signTypedData({ ...typed, message })
  return { payment, auth, terms, raw: JSON.stringify({ ...words, signature }) }
}

const read = ({ raw, payment }: Consented, silentAfterHours = hours) =>
  rig.adapters.signatures.readStandingOrder(raw, payment, silentAfterHours, now())

describe('the standing order by which silence pays', () => {
  test('is for this payment, its amount, once, from the end of a review until the authorization ends', async () => {
    const given = await consented()
    const { order } = parseStandingOrder(JSON.parse(given.raw))
    expect(order).toMatchObject({
      payer: payer.address.toLowerCase(),
      payment: given.payment.hash,
      maxPerRelease: 1_000_000n,
      maxTotal: 1_000_000n,
      maxCount: 1,
      notAfter: given.payment.authorizationExpiry,
    })
    expect(order.notBefore - Math.floor(Date.now() / 1_000) - hours * 3_600).toBeLessThanOrEqual(0)
    expect(order.notBefore - Math.floor(Date.now() / 1_000) - hours * 3_600).toBeGreaterThan(-60)
    expect(await read(given)).toMatchObject({ payment: given.payment.hash, maxCount: 1 })
  })

  test.each<[string, (order: StandingOrder) => Partial<Record<keyof StandingOrder, unknown>>]>([
    ['any payment', () => ({ payment: `0x${'00'.repeat(32)}` })],
    ['another payment', () => ({ payment: `0x${'ab'.repeat(32)}` })],
    ['more than the bounty at once', () => ({ maxPerRelease: '1000001' })],
    ['less than the bounty', () => ({ maxPerRelease: '999999' })],
    ['more in all', () => ({ maxTotal: '2000000' })],
    ['more than one release', () => ({ maxCount: 2 })],
    ['a time before the review could have ended', ({ notBefore }) => ({ notBefore: notBefore - 3_800 })],
    ['a time after it could have ended', ({ notBefore }) => ({ notBefore: notBefore + 200 })],
    ['an end before the authorization', ({ notAfter }) => ({ notAfter: notAfter - 1 })],
    ['an end after the authorization', ({ notAfter }) => ({ notAfter: notAfter + 1 })],
    ['another spender', () => ({ spender: party(5).address.toLowerCase() })],
    ['another payer', () => ({ payer: party(5).address.toLowerCase() })],
    ['another operator', () => ({ operator: party(5).address.toLowerCase() })],
    ['another token', () => ({ token: party(5).address.toLowerCase() })],
  ])('is refused for %s', async (_what, change) => {
    await expect(read(await consented(change))).rejects.toMatchObject({ code: 'LIFECYCLE_ORDER_INVALID' })
  })

  test('is refused when another wallet signed it, and when it is no order', async () => {
    await expect(read(await consented(() => ({}), hours, party(5)))).rejects.toMatchObject({
      code: 'LIFECYCLE_ORDER_INVALID',
    })
    const given = await consented()
    for (const raw of ['', '{}', 'null', '[1]', given.raw.replace('"maxCount"', '"more":1,"maxCount"')])
      await expect(read({ ...given, raw })).rejects.toMatchObject({ code: 'LIFECYCLE_ORDER_INVALID' })
  })

  test('lets the release through that the service signs, once its time has come, and not before', async () => {
    const { signatures, rails } = rig.adapters
    const rail = rails('localnet')
    const release = async (given: Consented): Promise<CaptureOrder> => ({
      kind: 'capture',
      key: freshKey(),
      payment: given.payment,
      amount: amount(1_000_000n),
      issuedAt: Math.floor(Date.now() / 1_000),
      order: await signatures.standingRelease(
        given.payment,
        amount(1_000_000n),
        await read(given, given.terms.silentAfterHours ?? hours),
        now(),
      ),
    })
    for (const [silentAfterHours, outcome] of [
      [0, 'settled'],
      [hours, 'refused'],
    ] as const) {
      const given = await consented(() => ({}), silentAfterHours)
      const lock = await signatures.readEscrowAuthorization(given.auth, termsOf(given.terms), now())
      expect(await rail.send({ kind: 'authorize', key: freshKey(), ...lock }, 20_000, soon())).toMatchObject({
        outcome: 'settled',
      })
      expect(await rail.send(await release(given), 20_000, soon())).toMatchObject({ outcome })
    }
  })

  test('pays in its time after the secret of the deployment was changed, and not before', async () => {
    await using rotated = createAdapters({ ...rig.settings, secret: 'the next secret of this test' })
    const rail = rotated.rails('localnet')
    for (const [silentAfterHours, outcome] of [
      [0, 'settled'],
      [hours, 'refused'],
    ] as const) {
      const given = await consented(() => ({}), silentAfterHours)
      const warrant = await read(given, silentAfterHours)
      const lock = await rig.adapters.signatures.readEscrowAuthorization(given.auth, termsOf(given.terms), now())
      await rail.send({ kind: 'authorize', key: freshKey(), ...lock }, 20_000, soon())
      const order = await rotated.signatures.standingRelease(given.payment, amount(1_000_000n), warrant, now())
      const issuedAt = Math.floor(Date.now() / 1_000)
      const terms = { key: freshKey(), payment: given.payment, amount: amount(1_000_000n), issuedAt }
      expect(await rail.send({ kind: 'capture', ...terms, order }, 20_000, soon())).toMatchObject({ outcome })
    }
  })
})

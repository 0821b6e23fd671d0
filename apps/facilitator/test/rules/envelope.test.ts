import { describe, expect, test } from 'vitest'
import { addresses, aPaymentInfo, aTransfer, authorizationWire, payer, worker } from '../../src/testing/payments.ts'
import { readAuthorization } from '../../src/wire/authorization.ts'
import { isEscrowScheme, readEnvelope } from '../../src/wire/envelope.ts'
import { readPaymentInfo } from '../../src/wire/payment-info.ts'
import {
  readAddress,
  readHex,
  readHex32,
  readInteger,
  readList,
  readOptionalText,
  readRecord,
  readText,
  readUint,
} from '../../src/wire/read.ts'

const refusedWith = (read: () => unknown, message: string, code = 'invalid_payload'): void => {
  expect(read).toThrow(expect.objectContaining({ name: 'Refusal', code, status: 400, message }))
}

describe('an envelope', () => {
  test.each([1, 2])('of version %i is read', (x402Version) => {
    expect(readEnvelope({ x402Version, scheme: 'exact' })).toMatchObject({ version: x402Version, scheme: 'exact' })
  })

  test.each([0, 3, '2', 1.5, null, undefined])('of version %j is refused', (x402Version) => {
    const message = 'x402Version must be 1 or 2'
    refusedWith(() => readEnvelope({ x402Version, scheme: 'exact' }), message, 'invalid_x402_version')
  })

  test('has its scheme from what is asked for, then from what is paid, then from what was accepted', () => {
    const accepted = { scheme: 'exact', network: 'a' }
    const read = (body: object) => {
      const { scheme, network, payloadScheme, payloadNetwork } = readEnvelope({ x402Version: 2, ...body })
      return [scheme, network, payloadScheme, payloadNetwork]
    }
    const paid = { scheme: 'commerce', network: 'b', accepted }
    const asked = { scheme: 'escrow', network: 'c' }
    expect(read({ paymentPayload: paid, paymentRequirements: asked })).toEqual(['escrow', 'c', 'commerce', 'b'])
    expect(read({ paymentPayload: paid, paymentRequirements: {} })).toEqual(['commerce', 'b', 'commerce', 'b'])
    expect(read({ paymentPayload: paid })).toEqual(['exact', 'a', 'commerce', 'b'])
    expect(read({ paymentPayload: { accepted } })).toEqual(['exact', 'a', 'exact', 'a'])
    // Without a wrapper, the body is what is paid.
    expect(read({ ...paid, paymentRequirements: asked })).toEqual(['escrow', 'c', 'commerce', 'b'])
    expect(read({ scheme: 'exact' })).toEqual(['exact', undefined, 'exact', undefined])
    refusedWith(() => readEnvelope({ x402Version: 2 }), 'Missing required field: scheme')
  })

  test('has its action from what is paid, then from what was accepted, then from the body', () => {
    const read = (body: object): unknown => readEnvelope({ x402Version: 2, scheme: 'escrow', ...body }).action
    const accepted = { scheme: 'escrow', action: 'two' }
    expect(read({ action: 'three', paymentPayload: { action: 'one', accepted } })).toBe('one')
    expect(read({ action: 'three', paymentPayload: { accepted } })).toBe('two')
    expect(read({ action: 'three', paymentPayload: { scheme: 'escrow' } })).toBe('three')
    expect(read({ action: 'one', accepted })).toBe('one')
    expect(read({})).toBeUndefined()
  })

  test('has its payload from where it is paid', () => {
    const read = (body: object): unknown => readEnvelope({ x402Version: 2, scheme: 'exact', ...body }).payload
    expect(read({ payload: 1, paymentPayload: { scheme: 'exact', payload: 2 } })).toBe(2)
    expect(read({ payload: 1 })).toBe(1)
  })

  const requirements = (change: object) =>
    readEnvelope({ x402Version: 2, paymentRequirements: { scheme: 'exact', ...change } }).requirements
  test('asks for an amount of either version, a token, a payee and more', () => {
    expect(requirements({ maxAmountRequired: '1', amount: '2' })?.amount).toBe(1n)
    expect(requirements({ amount: '2' })?.amount).toBe(2n)
    expect(requirements({ payTo: worker.address, asset: addresses.token, extra: { a: 1 } })).toEqual({
      scheme: 'exact',
      network: undefined,
      amount: undefined,
      asset: addresses.token,
      payTo: worker.address,
      extra: { a: 1 },
    })
    for (const extra of [null, undefined]) expect(requirements({ extra })?.extra).toBeUndefined()
    expect(requirements({ maxTimeoutSeconds: 0 })).toBeDefined()
  })

  test.each([
    ['scheme', 's'.repeat(33), 'paymentRequirements.scheme must be a text of at most 32 characters'],
    ['network', 'n'.repeat(65), 'paymentRequirements.network must be a text of at most 64 characters'],
    ['amount', 5, 'paymentRequirements.amount must be a decimal integer as text'],
    ['amount', String(2n ** 256n), 'paymentRequirements.amount must be an integer that fits uint256'],
    ['asset', '0x5', 'paymentRequirements.asset must be an address of 20 bytes in hex'],
    ['payTo', '0x5', 'paymentRequirements.payTo must be an address of 20 bytes in hex'],
    ['extra', 'none', 'paymentRequirements.extra must be an object'],
    ['maxTimeoutSeconds', -1, 'paymentRequirements.maxTimeoutSeconds must be an integer from 0 to 9007199254740991'],
  ])('that asks for a %s that is none is refused by its place', (name, value, message) => {
    refusedWith(() => requirements({ [name]: value }), message)
  })

  test.each([
    ['body', 'text', 'body must be an object'],
    ['paymentPayload', { paymentPayload: [] }, 'paymentPayload must be an object'],
    ['paymentRequirements', { paymentRequirements: 5 }, 'paymentRequirements must be an object'],
    ['accepted', { accepted: null }, 'accepted must be an object'],
    ['scheme', { scheme: 's'.repeat(33) }, 'scheme must be a text of at most 32 characters'],
    ['network', { network: 'n'.repeat(65) }, 'network must be a text of at most 64 characters'],
    ['action', { action: 'a'.repeat(33) }, 'action must be a text of at most 32 characters'],
    [
      "accepted's action",
      { accepted: { action: 'a'.repeat(33) } },
      'accepted.action must be a text of at most 32 characters',
    ],
    [
      "the body's action",
      { action: 'a'.repeat(33), paymentPayload: { scheme: 'escrow' } },
      'action must be a text of at most 32 characters',
    ],
  ])('whose %s is none is refused by its place', (_, change, message) => {
    const body = typeof change === 'string' ? change : { x402Version: 2, scheme: 'escrow', ...change }
    refusedWith(() => readEnvelope(body), message)
  })

  test('may have texts as long as they may be', () => {
    const long = { scheme: 's'.repeat(32), network: 'n'.repeat(64), action: 'a'.repeat(32) }
    expect(readEnvelope({ x402Version: 2, ...long })).toMatchObject(long)
  })

  test("is an escrow's by two names", () => {
    expect(['escrow', 'commerce', 'exact', 'Escrow', undefined].map(isEscrowScheme)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('what was signed', () => {
  const wire = authorizationWire(aTransfer())
  test('is read whole and in small letters', () => {
    const most = String(2n ** 256n - 1n)
    const loud = { ...wire, from: payer.address.toUpperCase().replace('0X', '0x'), value: most, validAfter: '0' }
    expect(readAuthorization(loud)).toMatchObject({ from: payer.address, value: 2n ** 256n - 1n, validAfter: 0n })
  })

  test.each([
    ['from', '0x5', 'authorization.from must be an address of 20 bytes in hex'],
    ['to', null, 'authorization.to must be an address of 20 bytes in hex'],
    ['value', String(2n ** 256n), 'authorization.value must be an integer that fits uint256'],
    ['validAfter', '-1', 'authorization.validAfter must be a decimal integer as text'],
    ['validBefore', '01', 'authorization.validBefore must be a decimal integer as text'],
    ['nonce', `0x${'0'.repeat(63)}`, 'authorization.nonce must be 32 bytes in hex'],
    ['tip', '1', 'payload.authorization.tip must be absent'],
  ])('with another %s is refused', (name, value, message) => {
    refusedWith(() => readAuthorization({ ...wire, [name]: value }), message)
  })

  test('as a list is refused', () => {
    refusedWith(() => readAuthorization([]), 'payload.authorization must be an object')
  })

  test('as terms that are none has the name that callers branch on', () => {
    const read = (): unknown => readPaymentInfo({ ...aPaymentInfo() }, payer.address)
    expect(read).toThrow(expect.objectContaining({ code: 'PaymentInfoInvalid' }))
    expect(read).toThrow(/^PaymentInfo validation failed: /)
  })
})

describe('what is read', () => {
  test('is a text that a store and a chain keep as it is', () => {
    expect(readText('😀 \ue000\u0001', 'x', 5)).toBe('😀 \ue000\u0001')
    expect(readText('', 'x')).toBe('')
    expect(readText('x'.repeat(512), 'x')).toHaveLength(512)
    refusedWith(() => readText('x'.repeat(513), 'x'), 'x must be a text of at most 512 characters')
    for (const odd of ['\0', 'a\0b', '\ud83d', 'a\ude00b', '\ude00\ud83d'])
      refusedWith(() => readText(odd, 'x'), 'x must be a text of whole characters, without NUL')
    expect(readOptionalText(undefined, 'x')).toBeUndefined()
    refusedWith(() => readOptionalText(null, 'x'), 'x must be a text of at most 512 characters')
    refusedWith(() => readOptionalText('x'.repeat(513), 'x'), 'x must be a text of at most 512 characters')
  })

  test('is a list of so many entries', () => {
    expect(readList([1, 2], 'x', 2)).toEqual([1, 2])
    expect(readList([], 'x', 0)).toEqual([])
    refusedWith(() => readList([1, 2, 3], 'x', 2), 'x must be a list of at most 2 entries')
    refusedWith(() => readList({ length: 0 }, 'x', 2), 'x must be a list of at most 2 entries')
  })

  test('is refused by its place', () => {
    refusedWith(() => readRecord({ a: 1 }, 'x', []), 'x.a must be absent')
    refusedWith(() => readAddress('0x', 'x'), 'x must be an address of 20 bytes in hex')
    refusedWith(() => readHex32('0x', 'x'), 'x must be 32 bytes in hex')
    refusedWith(() => readHex('0x123', 'x', 2), 'x must be hex of at most 2 bytes')
    refusedWith(() => readUint('256', 'x', 8), 'x must be an integer that fits uint8')
    refusedWith(() => readInteger(6, 'x', 5), 'x must be an integer from 0 to 5')
    expect([readUint('255', 'x', 8), readInteger(5, 'x', 5)]).toEqual([255n, 5])
  })
})

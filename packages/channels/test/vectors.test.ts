import { createPublicKey, createPrivateKey, sign as signByNode } from 'node:crypto'
import { bytesToHex, concatBytes, ed25519KeyOf, fromBase58, hexToBytes, toBase58 } from '@ergon/protocols'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  channelAddress,
  channelStatuses,
  decodeChannel,
  decodeVoucher,
  encodeChannel,
  encodeSplits,
  encodeVoucher,
  eventAuthority,
  isSignedVoucher,
  mainnetChannelProgram,
  payouts,
  signVoucher,
  splitsHash,
  treasuryOwners,
  voucherProofInstruction,
  type Split,
} from '../src/index.ts'
import { readFields } from '../src/little-endian.ts'
import { readSplits } from '../src/splits.ts'

const malformed = (message: string): Error => expect.objectContaining({ code: 'malformed', message }) as Error
const filled = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const key = (byte: number): string => toBase58(filled(byte))
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const i64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const someKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toBase58)

describe('addresses', () => {
  test('the event authority of the mainnet program', () => {
    expect(eventAuthority(mainnetChannelProgram)).toBe('75c2huVzDW1Eq4kD86by5392sjdJzuAT195XNgP2f2tX')
  })

  test('the treasury of a local build is be ef, sixteen times', () => {
    expect(bytesToHex(fromBase58(treasuryOwners.localnet))).toBe(`0x${'beef'.repeat(16)}`)
  })

  test('whatever a channel is made of changes its address', () => {
    const seeds = {
      payer: key(1),
      payee: key(2),
      mint: key(3),
      authorizedSigner: key(4),
      salt: 5n,
      openSlot: 6n,
    }
    const others = [
      ...(['payer', 'payee', 'mint', 'authorizedSigner'] as const).map((field) => ({ ...seeds, [field]: key(9) })),
      { ...seeds, salt: 6n, openSlot: 5n },
      { ...seeds, salt: 6n },
      { ...seeds, openSlot: 7n },
    ]
    const all = [seeds, ...others].map((one) => channelAddress(one, mainnetChannelProgram).address)
    expect(new Set([...all, channelAddress(seeds, key(8)).address]).size).toBe(all.length + 1)
  })
})

describe('vouchers', () => {
  const seed = filled(1)
  const signer = 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9'
  const voucher = { channelId: 'US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx', cumulative: 1_000_000n, expiresAt: 0n }
  const signature = '3wMQmu6rYjW6yABbvRn4tr4iGSvFaTnSKU8ZU5SLKK6kyg8Pig38d5t8RQURUHzreYrLvqQdh6y4Eh5VzbHrbCzw'

  test('the vector: 50 bytes, and the signature of the seed 01', () => {
    expect(toBase58(ed25519KeyOf(seed))).toBe(signer)
    expect(bytesToHex(encodeVoucher(voucher))).toBe(`0x5601${'07'.repeat(32)}40420f0000000000${'00'.repeat(8)}`)
    expect(signVoucher(voucher, seed)).toBe(signature)
    expect(isSignedVoucher(voucher, signature, signer)).toBe(true)
  })

  test('another signer of Ed25519 makes the same signature', () => {
    const pkcs8 = concatBytes(hexToBytes('0x302e020100300506032b657004220420'), seed)
    const privateKey = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
    expect(createPublicKey(privateKey).export({ format: 'jwk' }).x).toBe(
      Buffer.from(fromBase58(signer)).toString('base64url'),
    )
    expect(toBase58(signByNode(null, encodeVoucher(voucher), privateKey))).toBe(signature)
  })

  test.each([
    ['of another channel', { ...voucher, channelId: key(8) }, signature, signer],
    ['of another amount', { ...voucher, cumulative: 1_000_001n }, signature, signer],
    ['of another end', { ...voucher, expiresAt: 1n }, signature, signer],
    ['by another key', voucher, signature, key(2)],
    ['by no key', voucher, signature, 'no key'],
    ['too short', voucher, signature.slice(1), signer],
    ['no signature', voucher, '0OIl', signer],
    ['in the other spelling of its scalar', voucher, malleated(signature), signer],
  ])('a signature %s is refused', (_, claimed, presented, by) => {
    expect(isSignedVoucher(claimed, presented, by)).toBe(false)
  })

  test('what is written is read back', () => {
    fc.assert(
      fc.property(someKey, u64, i64, (channelId, cumulative, expiresAt) => {
        const one = { channelId, cumulative, expiresAt }
        expect(decodeVoucher(encodeVoucher(one))).toEqual(one)
      }),
    )
  })

  test.each([
    ['without its magic', encodeVoucher(voucher).slice(2), 'has 50 bytes'],
    ['with another version', encodeVoucher(voucher).with(1, 2), 'begins with 56 01'],
    ['with another first byte', encodeVoucher(voucher).with(0, 0x57), 'begins with 56 01'],
    ['with a byte more', concatBytes(encodeVoucher(voucher), Uint8Array.of(0)), 'has 50 bytes'],
  ])('bytes %s are no voucher', (_, bytes, what) => {
    expect(() => decodeVoucher(bytes)).toThrow(malformed(`a voucher ${what}`))
  })

  test.each([
    ['below nothing', { ...voucher, cumulative: -1n }, '-1 is not an unsigned 64-bit number'],
    ['beyond 64 bits', { ...voucher, cumulative: 2n ** 64n }, '18446744073709551616 is not an unsigned 64-bit number'],
    ['of no channel', { ...voucher, channelId: 'abc' }, 'a Solana address is 32 bytes in base58'],
    [
      'that ends beyond time',
      { ...voucher, expiresAt: 2n ** 63n },
      '9223372036854775808 is not a signed 64-bit number',
    ],
  ])('a voucher %s cannot be written', (_, one, message) => {
    expect(() => encodeVoucher(one)).toThrow(malformed(message))
  })

  test('the precompile is asked with 162 canonical bytes', () => {
    const { data, accounts } = voucherProofInstruction(voucher, signature, signer)
    expect(accounts).toEqual([])
    expect(data).toHaveLength(162)
    expect(bytesToHex(data.slice(0, 16))).toBe('0x01003000ffff1000ffff70003200ffff')
    expect(toBase58(data.slice(16, 48))).toBe(signer)
    expect(toBase58(data.slice(48, 112))).toBe(signature)
    expect(data.slice(112)).toEqual(encodeVoucher(voucher))
  })
})

describe('splits', () => {
  const worker = { recipient: key(9), bps: 8_700 }

  test('the vector: one recipient of 8700', () => {
    expect(bytesToHex(encodeSplits([worker]))).toBe(`0x01000000${'09'.repeat(32)}fc21`)
    expect(splitsHash([worker])).toBe('0x63b3b6d8980576fe8bcf3caec95e33c0e39b3952d269a27a4873c28ae3767984')
  })

  test('7,654,321 settled: both shares are rounded down and the unit between them is dust', () => {
    expect(payouts([worker], 7_654_321n, 0n)).toEqual({ recipients: [6_659_259n], payee: 995_061n, dust: 1n })
  })

  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ recipient: key(at), bps: 1 }))

  test.each<[string, readonly Split[], string]>([
    ['a share of nothing', [{ ...worker, bps: 0 }], 'shares above 0'],
    ['a share below nothing', [{ ...worker, bps: -1 }], 'shares above 0'],
    ['a broken share', [{ ...worker, bps: 1.5 }], 'shares above 0'],
    ['more than everything', [worker, { recipient: key(8), bps: 1_301 }], 'shares of at most 10000 in all'],
    ['a recipient twice', [worker, { ...worker, bps: 1 }], 'each recipient once'],
    ['33 recipients', many(33), 'at most 32 recipients'],
  ])('%s is refused', (_, splits, need) => {
    const refusal = expect.objectContaining({ code: 'splits', message: `splits need ${need}` }) as Error
    expect(() => encodeSplits(splits)).toThrow(refusal)
    expect(() => payouts(splits, 1n, 0n)).toThrow(refusal)
  })

  test('32 recipients are shared out to, and no more are read', () => {
    const most = encodeSplits(many(32))
    expect(readSplits(readFields(most))).toEqual(many(32))
    expect(() =>
      readSplits(readFields(concatBytes(Uint8Array.of(33, 0, 0, 0), most.slice(4), new Uint8Array(34)))),
    ).toThrow('splits need at most 32 recipients')
  })

  test('many distributions pay what one would have paid, and no unit is lost', () => {
    const splitting = fc.uniqueArray(fc.record({ recipient: someKey, bps: fc.integer({ min: 1, max: 300 }) }), {
      selector: ({ recipient }) => recipient,
      maxLength: 32,
    })
    fc.assert(
      fc.property(splitting, fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { maxLength: 6 }), (splits, steps) => {
        let settled = 0n
        const got = splits.map(() => 0n)
        let [payee, dust] = [0n, 0n]
        for (const step of steps) {
          const next = payouts(splits, settled + step, settled)
          next.recipients.forEach((share, at) => (got[at] = (got[at] ?? 0n) + share))
          payee += next.payee
          dust += next.dust
          settled += step
        }
        const whole = payouts(splits, settled, 0n)
        expect({ recipients: got, payee, dust }).toEqual(whole)
        expect(got.reduce((sum, share) => sum + share, payee + dust)).toBe(settled)
        expect(dust >= 0n && dust <= BigInt(splits.length)).toBe(true)
      }),
    )
  })
})

describe("a channel's account", () => {
  const channel = {
    bump: 254,
    status: 'closing',
    salt: 0x0102030405060708n,
    deposit: 0x1112131415161718n,
    settled: 0x2122232425262728n,
    payoutWatermark: 0x3132333435363738n,
    closureStartedAt: -2n,
    payerWithdrawnAt: 0x5152535455565758n,
    gracePeriodSec: 900,
    distributionHash: `0x${'a1'.repeat(32)}`,
    payer: key(1),
    payee: key(2),
    authorizedSigner: key(3),
    mint: key(4),
    rentPayer: key(5),
    openSlot: 0x6162636465666768n,
  } as const
  const hex = [
    '0x0101fe02',
    '0807060504030201',
    '1817161514131211',
    '2827262524232221',
    '3837363534333231',
    'feffffffffffffff',
    '5857565554535251',
    '84030000',
    ...['a1', '01', '02', '03', '04', '05'].map((byte) => byte.repeat(32)),
    '6867666564636261',
  ].join('')

  test('its 256 bytes, field by field', () => {
    expect(bytesToHex(encodeChannel(channel))).toBe(hex)
    expect(decodeChannel(encodeChannel(channel))).toEqual(channel)
  })

  test.each([
    ['0 open', 'open'],
    ['1 sealed', 'sealed'],
    ['2 closing', 'closing'],
    ['3 distributed', 'distributed'],
  ])('state %s', (number, status) => {
    expect(decodeChannel(encodeChannel(channel).with(3, Number(number[0]))).status).toBe(status)
  })

  test('every byte string of a channel is read and written alike', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 252, maxLength: 252 }), fc.nat(3), fc.nat(255), (rest, status, bump) => {
        const bytes = concatBytes(Uint8Array.of(1, 1, bump, status), rest)
        expect(encodeChannel(decodeChannel(bytes))).toEqual(bytes)
      }),
    )
    expect(channelStatuses).toHaveLength(4)
  })

  const bytes = encodeChannel(channel)
  test.each([
    ['of another kind', bytes.with(0, 2), 'an account of this kind and version is no channel'],
    ['of another version', bytes.with(1, 2), 'an account of this kind and version is no channel'],
    ['in a fifth state', bytes.with(3, 4), 'a channel has one of four states'],
    ['a byte short', bytes.slice(1), "a channel's account has 256 bytes"],
    ['a byte long', concatBytes(bytes, Uint8Array.of(0)), "a channel's account has 256 bytes"],
  ])('data %s is refused', (_, data, message) => {
    expect(() => decodeChannel(data)).toThrow(malformed(message))
  })
})

/** The same signature with the order of the group added to its scalar. */
function malleated(signature: string): string {
  const bytes = fromBase58(signature)
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  let scalar = bytes.slice(32).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n) + order
  const changed = bytes.slice(0, 32)
  return toBase58(
    concatBytes(
      changed,
      Uint8Array.from({ length: 32 }, () => {
        const byte = Number(scalar & 0xffn)
        scalar >>= 8n
        return byte
      }),
    ),
  )
}

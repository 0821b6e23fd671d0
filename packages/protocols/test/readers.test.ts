import { describe, expect, test } from 'vitest'
import {
  base64ToBytes,
  base64urlToBytes,
  bytesToBase64url,
  bytesToHex,
  fromBase58,
  hexToBytes,
  lowerAddress,
  parseCaip10,
  parseCaip2,
  readRecord,
  readText,
  type Hex,
} from '../src/index.ts'
import { addressKey } from '../src/address-key.ts'
import { isLoopback } from '../src/loopback.ts'
import { readAddress, readCount, readDecimal, readHex, readHex32, readJson } from '../src/wire-reader.ts'
import { createWords, putAddress, putBytes32, putInt, putUint } from '../src/words.ts'

const malformed = (message: string): Error => expect.objectContaining({ code: 'malformed', message }) as Error
const address = `0x${'Ab'.repeat(20)}`

describe('what comes over the wire is read', () => {
  test.each<[string, () => unknown, unknown]>([
    ['an object', () => readRecord({ a: 1 }, 'x'), { a: 1 }],
    ['with the members asked for', () => readRecord({ a: 1 }, 'x', ['a'], ['b']), { a: 1 }],
    ['and those that may be left out', () => readRecord({ a: 1, b: 2 }, 'x', ['a'], ['b']), { a: 1, b: 2 }],
    ['JSON as a text', () => readJson('[1]', 'x', 3), [1]],
    ['JSON that was parsed already', () => readJson([1], 'x', 0), [1]],
    ['a text as long as it may be', () => readText('x'.repeat(2_048), 'x'), 'x'.repeat(2_048)],
    ['an address in lowercase', () => readAddress(address, 'x'), address.toLowerCase()],
    ['32 bytes in lowercase', () => readHex32(`0x${'AB'.repeat(32)}`, 'x'), `0x${'ab'.repeat(32)}`],
    ['no bytes', () => readHex('0x', 'x', 0), '0x'],
    ['as many bytes as there may be', () => readHex('0xAbCd', 'x', 2), '0xabcd'],
    ['nothing as a decimal', () => readDecimal('0', 'x'), 0n],
    ['the greatest decimal', () => readDecimal((2n ** 256n - 1n).toString(), 'x'), 2n ** 256n - 1n],
    ['one of 8 bits', () => readDecimal('255', 'x', 8), 255n],
    ['a count', () => readCount(7, 'x', 7), 7],
    ['no count', () => readCount(0, 'x'), 0],
    ['the greatest count', () => readCount(2 ** 53 - 1, 'x'), 2 ** 53 - 1],
  ])('%s', (_, read, value) => {
    expect(read()).toEqual(value)
  })

  test.each<[string, () => unknown, string]>([
    ['a list as an object', () => readRecord([], 'x'), 'x must be an object'],
    ['null as an object', () => readRecord(null, 'x'), 'x must be an object'],
    ['a text as an object', () => readRecord('{}', 'x'), 'x must be an object'],
    ['a member that is not there', () => readRecord({}, 'x', ['a']), 'x.a must be present'],
    ['a member that every object has', () => readRecord({}, 'x', ['toString']), 'x.toString must be present'],
    ['a member nobody knows', () => readRecord({ a: 1, b: 1 }, 'x', ['a']), 'x.b must be absent'],
    [
      'one with a long name',
      () => readRecord({ [`${'n'.repeat(39)}\u{1f600}`]: 1 }, 'x', []),
      `x.${'n'.repeat(39)}\ufffd must be absent`,
    ],
    ['JSON that is too long', () => readJson('[1] ', 'x', 3), 'x must be at most 3 characters'],
    ['JSON that is none', () => readJson('[', 'x', 3), 'x must be JSON'],
    ['a text too long', () => readText('x'.repeat(2_049), 'x'), 'x must be a text of at most 2048 characters'],
    ['a number as a text', () => readText(1, 'x', 5), 'x must be a text of at most 5 characters'],
    [
      '19 bytes as an address',
      () => readAddress(`0x${'ab'.repeat(19)}`, 'x'),
      'x must be an address of 20 bytes in hex',
    ],
    ['31 bytes', () => readHex32(`0x${'ab'.repeat(31)}`, 'x'), 'x must be 32 bytes in hex'],
    ['half a byte', () => readHex('0xabc', 'x', 2), 'x must be hex of at most 2 bytes'],
    ['a byte too many', () => readHex('0xabcdef', 'x', 2), 'x must be hex of at most 2 bytes'],
    ['bytes that are no text', () => readHex(1, 'x', 2), 'x must be hex of at most 2 bytes'],
    ['a decimal with a leading zero', () => readDecimal('01', 'x'), 'x must be a decimal integer as text'],
    ['a decimal with a sign', () => readDecimal('-1', 'x'), 'x must be a decimal integer as text'],
    ['a decimal of 79 digits', () => readDecimal('1'.repeat(79), 'x'), 'x must be a decimal integer as text'],
    ['a decimal as a number', () => readDecimal(1, 'x'), 'x must be a decimal integer as text'],
    [
      'a decimal of 257 bits',
      () => readDecimal((2n ** 256n).toString(), 'x'),
      'x must be an integer that fits uint256',
    ],
    ['a decimal of 9 bits', () => readDecimal('256', 'x', 8), 'x must be an integer that fits uint8'],
    ['a count too great', () => readCount(8, 'x', 7), 'x must be an integer from 0 to 7'],
    ['a count below nothing', () => readCount(-1, 'x', 7), 'x must be an integer from 0 to 7'],
    ['a broken count', () => readCount(0.5, 'x', 7), 'x must be an integer from 0 to 7'],
    ['a count as a text', () => readCount('1', 'x', 7), 'x must be an integer from 0 to 7'],
    ['a count beyond what is exact', () => readCount(2 ** 53, 'x'), 'x must be an integer from 0 to 9007199254740991'],
  ])('%s is refused', (_, read, message) => {
    expect(read).toThrow(malformed(message))
  })
})

describe('texts of bytes', () => {
  test.each<[string, () => unknown, string]>([
    ['hex without its prefix', () => hexToBytes('abcd' as Hex), 'hex must start with 0x and hold whole bytes'],
    ['hex of half a byte', () => hexToBytes('0xabc'), 'hex must start with 0x and hold whole bytes'],
    ['hex with another letter first', () => hexToBytes('0xga'), 'hex holds a character that is no hex digit'],
    ['hex with another letter second', () => hexToBytes('0xag'), 'hex holds a character that is no hex digit'],
    ['hex with a letter beyond ASCII', () => hexToBytes('0xa\u0161'), 'hex holds a character that is no hex digit'],
    ['an address of 19 bytes', () => lowerAddress(`0x${'ab'.repeat(19)}`), 'not a 20-byte hex address'],
    ['base58 too long', () => fromBase58('1'.repeat(89)), 'base58 text is too long'],
    ['base58 longer than was asked for', () => fromBase58('111', 2), 'base58 text is too long'],
    ['base58 with a nought', () => fromBase58('10'), 'base58 text has a character outside its alphabet'],
    ['a chain of no namespace', () => parseCaip2('8453'), 'not a CAIP-2 chain id'],
    ['an EVM chain with a leading zero', () => parseCaip2('eip155:08'), 'not an EVM chain id'],
    ['an EVM chain beyond what is exact', () => parseCaip2('eip155:9007199254740992'), 'not an EVM chain id'],
    ['an account of strange letters', () => parseCaip10('solana:x:a b'), 'not a CAIP-10 account'],
    ['an EVM account that is none', () => parseCaip10('eip155:1:abc'), 'not an EVM account'],
  ])('%s is refused', (_, read, message) => {
    expect(read).toThrow(malformed(message))
  })

  test('the longest base58 is read, and its bytes come back', () => {
    expect(fromBase58('1'.repeat(88))).toEqual(new Uint8Array(88))
    expect(fromBase58('11', 2)).toEqual(new Uint8Array(2))
  })

  test('every byte is two digits of hex, in either case', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const hex = `0x${Buffer.from(all).toString('hex')}`
    expect(bytesToHex(all)).toBe(hex)
    expect(hexToBytes(hex as Hex)).toEqual(all)
    expect(hexToBytes(`0x${hex.slice(2).toUpperCase()}`)).toEqual(all)
  })

  test('base64url has no padding and two letters of its own', () => {
    for (const length of [0, 1, 2, 3, 4]) {
      const bytes = new Uint8Array(length).fill(0xfb)
      const text = bytesToBase64url(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64url'))
      expect(base64urlToBytes(text)).toEqual(bytes)
    }
    for (const text of ['-w==', '+w', '/w', 'a', 'a=']) expect(base64urlToBytes(text), text).toBeUndefined()
    expect(base64ToBytes('+w==')).toEqual(Uint8Array.of(0xfb))
    expect(base64ToBytes('+x==')).toBeUndefined()
  })
})

describe('words as Solidity lays them out', () => {
  const wordOf = (put: (words: ReturnType<typeof createWords>) => void): string => {
    const words = createWords(1)
    put(words)
    return bytesToHex(words.bytes).slice(2)
  }
  const padded = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, '0')

  test.each<[number | bigint, number]>([
    [0, 8],
    [255, 8],
    [2 ** 32, 48],
    [2 ** 53 - 1, 53],
    [2 ** 53 - 1, 256],
    [255n, 8],
    [2n ** 64n, 256],
    [2n ** 256n - 1n, 256],
  ])('%s fits %i bits', (value, bits) => {
    expect(wordOf((words) => putUint(words, 0, value, bits))).toBe(padded(BigInt(value)))
  })

  test.each<[number | bigint, number, string]>([
    [256, 8, 'integer does not fit uint8'],
    [2 ** 52, 52, 'integer does not fit uint52'],
    [-1, 8, 'not an unsigned integer'],
    [0.5, 8, 'not an unsigned integer'],
    [2 ** 53, 256, 'not an unsigned integer'],
    [256n, 8, 'integer does not fit uint8'],
    [-1n, 8, 'integer does not fit uint8'],
    [2n ** 256n, 256, 'integer does not fit uint256'],
  ])('%s in %i bits is refused', (value, bits, message) => {
    expect(() => wordOf((words) => putUint(words, 0, value, bits))).toThrow(malformed(message))
  })

  test.each<[bigint, number]>([
    [-128n, 8],
    [127n, 8],
    [-1n, 256],
  ])('%s fits %i signed bits', (value, bits) => {
    expect(wordOf((words) => putInt(words, 0, value, bits))).toBe(padded(value))
  })

  test('what is signed has its bounds, an address 20 bytes and a word 32', () => {
    for (const value of [128n, -129n])
      expect(() => wordOf((words) => putInt(words, 0, value, 8))).toThrow(malformed('integer does not fit int8'))
    expect(wordOf((words) => putAddress(words, 0, `0x${'ab'.repeat(20)}`))).toBe(`${'0'.repeat(24)}${'ab'.repeat(20)}`)
    for (const length of [19, 21])
      expect(() => wordOf((words) => putAddress(words, 0, `0x${'ab'.repeat(length)}`))).toThrow(
        malformed('an address has 20 bytes'),
      )
    expect(wordOf((words) => putBytes32(words, 0, new Uint8Array(32).fill(1)))).toBe('01'.repeat(32))
    for (const length of [31, 33])
      expect(() => wordOf((words) => putBytes32(words, 0, new Uint8Array(length)))).toThrow(
        malformed('expected 32 bytes'),
      )
  })
})

describe('who shares the counter of an address', () => {
  test.each<[string, string]>([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1::2:3:4', '2001:db8:1:0'],
    ['::1', '0:0:0:0'],
    ['fe80::', 'fe80:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['1::2:3:4:5:6:7', '1:0:2:3'],
  ])('%s counts as %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key)
  })
})

test.each<[string, boolean]>([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['[::1]', true],
  ['127.0.0.1.evil.example', false],
  ['127.evil.example', false],
  ['localhost.evil.example', false],
  ['my-localhost', false],
  ['128.0.0.1', false],
  ['[::2]', false],
  ['', false],
])('that %j is a name of this machine is %s', (hostname, isOne) => {
  expect(isLoopback(hostname)).toBe(isOne)
  // A parser writes every spelling of an address alike.
  if (hostname.startsWith('127.')) expect(isLoopback(new URL('http://127.1/').hostname)).toBe(true)
})

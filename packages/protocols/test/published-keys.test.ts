import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { isGuessable, isPublishedKey } from '../src/index.ts'

const mnemonic = 'test test test test test test test test test test test junk'
const keyAt = (addressIndex: number): Uint8Array =>
  mnemonicToAccount(mnemonic, { addressIndex }).getHdKey().privateKey ?? new Uint8Array()
const mixed = Uint8Array.from({ length: 32 }, (_, at) => at * 7 + 1)

test.each(Array.from({ length: 20 }, (_, at) => at))('everybody has account %i of a development chain', (at) => {
  expect(keyAt(at)).toHaveLength(32)
  expect(isPublishedKey(keyAt(at))).toBe(true)
})

test.each<[string, Uint8Array]>([
  ['nothing', new Uint8Array(32)],
  ['one', new Uint8Array(32).with(31, 1)],
  ['a number below 2^64', mixed.map((byte, at) => (at < 24 ? 0 : byte))],
  ['one byte again and again', new Uint8Array(32).fill(0x42)],
  ['three bytes again and again', Uint8Array.from({ length: 32 }, (_, at) => 0x40 + (at % 3))],
])('%s is a key that is tried', (_, key) => {
  expect(isPublishedKey(key)).toBe(true)
})

test.each<[string, Uint8Array]>([
  ['another', mixed],
  ['one of four bytes', Uint8Array.from({ length: 32 }, (_, at) => 0x40 + (at % 4))],
  ['one of 2^64 and more', mixed.map((byte, at) => (at < 23 ? 0 : byte))],
  ['one that begins with nothing', mixed.with(0, 0)],
  ['the account after those of a development chain', keyAt(20)],
])('%s is not', (_, key) => {
  expect(isPublishedKey(key)).toBe(false)
})

test('a secret has 32 characters, eight of them different', () => {
  const eight = 'abcdefgh'.repeat(4)
  expect(isGuessable(eight)).toBe(false)
  expect(isGuessable(eight.slice(1))).toBe(true)
  expect(isGuessable('abcdefg'.repeat(5))).toBe(true)
})

import { afterEach, expect, test, vi } from 'vitest'
import type { Eip1193Provider } from '@ergon/sdk'
import { askPerson, askQuietly } from './ask-wallet.ts'
import { OtherAccount } from './other-account.ts'
import { failureOf, SigningRefused, WalletFailed } from './wallet-failed.ts'

const call = { method: 'eth_accounts' }
const never = (): Promise<never> => new Promise(() => undefined)
/** Wallets do not all keep to the type. */
const wallet = (request: () => unknown): Eip1193Provider => ({ request }) as Eip1193Provider
const throwing = wallet(() => {
  throw new Error('locked')
})

afterEach(() => {
  vi.useRealTimers()
})

test('what a wallet answers without a person is waited for shortly, and a wallet that fails says nothing', async () => {
  expect(
    await askQuietly(
      wallet(async () => ['0x1']),
      call,
    ),
  ).toEqual(['0x1'])
  expect(
    await askQuietly(
      wallet(() => 'no promise'),
      call,
    ),
  ).toBe('no promise')
  expect(await askQuietly(throwing, call)).toBeUndefined()
  expect(
    await askQuietly(
      wallet(() => Promise.reject(new Error('no'))),
      call,
    ),
  ).toBeUndefined()
  vi.useFakeTimers()
  const asked = askQuietly(wallet(never), call)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await asked).toBeUndefined()
})

test('a person has time, until they give up', async () => {
  const given = new AbortController()
  expect(
    await askPerson(
      wallet(async () => ['0x1']),
      call,
      given.signal,
    ),
  ).toEqual(['0x1'])
  await expect(askPerson(throwing, call, given.signal)).rejects.toThrow('locked')
  const asked = askPerson(wallet(never), call, given.signal)
  given.abort()
  await expect(asked).rejects.toThrow()
  await expect(askPerson(wallet(never), call, given.signal)).rejects.toThrow()
})

test('a wallet that shows another account has not failed', () => {
  const other = new OtherAccount('0x1', '0x2')
  expect(failureOf(other)).toBe(other)
})

test.each([
  [{ code: 4001 }, SigningRefused, undefined],
  [{ code: -32_002, message: 'Already pending' }, WalletFailed, true],
  [{ code: -32_603, data: { originalError: { code: -32_002 } } }, WalletFailed, true],
  [{ code: 4100 }, WalletFailed, false],
  [undefined, WalletFailed, false],
  ['locked', WalletFailed, false],
])('%j, which a wallet threw, is a no or a failure', (cause, kind, isAsking) => {
  const failure = failureOf(cause)
  expect(failure).toBeInstanceOf(kind)
  expect(failure instanceof WalletFailed ? failure.isAsking : undefined).toBe(isAsking)
})

import { concatBytes } from '@ergon/protocols'
import { expect, test } from 'vitest'
import {
  addressBytes,
  associatedTokenAccount,
  readTokenAccount,
  token2022Program,
  tokenProgram,
  type LedgerAccount,
} from '../src/index.ts'
import { place, usdc, worker } from './opening.ts'

type Given = { readonly mint?: string; readonly owner?: string; readonly state?: number; readonly length?: number }

/** As SPL Token lays an account out: mint, owner, amount, delegate, state and the rest, 165 bytes. */
function bytesOf({ mint = usdc, owner = worker, state = 1, length = 165 }: Given): Uint8Array {
  const amount = Uint8Array.of(0x40, 0x42, 0x0f, 0, 0, 0, 0, 0)
  const all = concatBytes(addressBytes(mint), addressBytes(owner), amount, new Uint8Array(length - 72))
  return all.with(108, state)
}

async function read(given: Given, program = tokenProgram): Promise<unknown> {
  const asked: string[] = []
  const account: LedgerAccount = { owner: program, data: bytesOf(given), lamports: 1n, slot: 1n }
  const told = await readTokenAccount(
    {
      account(address) {
        asked.push(address)
        return Promise.resolve(account)
      },
    },
    worker,
    usdc,
  )
  expect(asked).toEqual([associatedTokenAccount(worker, usdc)])
  return told
}

test('an account that is not there is missing', async () => {
  expect(await readTokenAccount({ account: () => Promise.resolve(null) }, worker, usdc)).toEqual({ state: 'missing' })
})

test.each<[string, Given]>([
  ['its owner', {}],
  ['its owner, with what came later behind it', { length: 170 }],
])('an account of %s tells its amount', async (_, given) => {
  expect(await read(given)).toEqual({ state: 'usable', amount: 1_000_000n })
})

test('a frozen account takes nothing', async () => {
  expect(await read({ state: 2 })).toEqual({ state: 'frozen' })
})

test.each<[string, Given, string?]>([
  ['another program has', {}, token2022Program],
  ['ends too early', { length: 164 }],
  ['was never set up', { state: 0 }],
  ['holds another token', { mint: place(9) }],
  ['its owner gave away', { owner: place(9) }],
  ['is frozen and of another', { owner: place(9), state: 2 }],
])('an account that %s is foreign', async (_, given, program) => {
  expect(await read(given, program)).toEqual({ state: 'foreign' })
})

test('its bytes may be part of a longer buffer', async () => {
  const data = concatBytes(new Uint8Array(7), bytesOf({})).subarray(7)
  const account: LedgerAccount = { owner: tokenProgram, data, lamports: 1n, slot: 1n }
  const told = await readTokenAccount({ account: () => Promise.resolve(account) }, worker, usdc)
  expect(told).toEqual({ state: 'usable', amount: 1_000_000n })
})

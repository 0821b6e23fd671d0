import { ownClock } from '@ergon/dev-env/testing'
import { MarketError } from '@ergon/core'
import { randomBytes, randomUUID } from 'node:crypto'
import {
  bytesToHex,
  hashMessage,
  hexToBytes,
  keccak256,
  unwrapSignature,
  utf8,
  type Address,
  type Hex,
} from '@ergon/protocols'
import { comingWallet, factory } from '../http/contract-wallet.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ContractSignature } from '../../src/adapters/index.ts'
import { amount, authorizeOrder, freshKey, termsOf } from './orders.ts'
import { rpc, startRig, worker, type Rig } from './rig.ts'

// Wallets in a few opcodes each, put where the test wants them.
const wallets = {
  'says yes': {
    at: '0x00000000000000000000000000000000000a0001',
    code: '0x631626ba7e60e01b60005260206000f3',
    expected: true,
  },
  'says no': { at: '0x00000000000000000000000000000000000a0002', code: '0x60206000f3', expected: false },
  reverts: { at: '0x00000000000000000000000000000000000a0003', code: '0x60006000fd', expected: false },
  'answers four bytes': {
    at: '0x00000000000000000000000000000000000a0004',
    code: '0x631626ba7e60e01b60005260046000f3',
    expected: false,
  },
  'answers one': { at: '0x00000000000000000000000000000000000a0005', code: '0x600160005260206000f3', expected: false },
  'burns all its gas': { at: '0x00000000000000000000000000000000000a0006', code: '0x5b600056', expected: false },
  'answers far too much': {
    at: '0x00000000000000000000000000000000000a0007',
    code: '0x63000100006000f3',
    expected: false,
  },
  'is no code the machine knows': { at: '0x00000000000000000000000000000000000a0008', code: '0xfe', expected: false },
} as const satisfies Record<string, { at: Address; code: Hex; expected: boolean }>

describe('a wallet that is a contract', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig()
    await Promise.all(Object.values(wallets).map(({ at, code }) => rpc(rig.chain.rpcUrl, 'anvil_setCode', [at, code])))
  })
  afterAll(async () => {
    await rig[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    await rig.chainLine.open()
  })

  const call = (address: Address, changes: Partial<ContractSignature> = {}): ContractSignature => ({
    chainId: 31_337,
    address,
    hash: keccak256(utf8(freshKey())),
    signature: hexToBytes('0x1234'),
    ...changes,
  })
  const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => (error instanceof MarketError ? error.code : String(error)))

  test.each(Object.entries(wallets))('that %s has its word taken', async (_what, { at, expected }) => {
    expect(await rig.adapters.contracts.isValidSignature(call(at))).toBe(expected)
  })

  test('that is yet to come is asked as its factory would put it up, and nothing is sent', async () => {
    const { contracts } = rig.adapters
    const one = await comingWallet(rig.chain.rpcUrl, 0n)
    const hash = hashMessage('Let the tool in.')
    const inner = unwrapSignature(await one.signer.signMessage('Let the tool in.'))?.signature ?? '0x'
    const asked = { chainId: 31_337, address: one.wallet, hash, signature: hexToBytes(inner), factory, call: one.call }
    expect(await contracts.askPutUp(asked)).toBe('signed')
    expect(await rpc(rig.chain.rpcUrl, 'eth_getCode', [one.wallet, 'latest'])).toBe('0x')
    const other = await comingWallet(rig.chain.rpcUrl, 0n)
    const yes: Hex = `0x1626ba7e${'00'.repeat(28)}`
    const answersYes = wallets['says yes'].at
    const changes: readonly Partial<typeof asked>[] = [
      { hash: hashMessage('Something else.') },
      { call: other.call },
      { call: '0x' },
      { factory: answersYes },
      // What the factory was asked, or answered, is no word of a wallet that is not there.
      { address: other.wallet, factory: answersYes, call: yes },
      { address: bytesToHex(randomBytes(20)), call: yes },
      ...Object.values(wallets).flatMap(({ at, expected }) => (expected ? [] : [{ address: at }])),
      ...Object.values(wallets).flatMap(({ at, expected }) => (expected ? [] : [{ factory: at }])),
      { chainId: 8_453 },
    ]
    for (const change of changes)
      expect([change, await contracts.askPutUp({ ...asked, ...change })]).toEqual([change, 'not-signed'])
    expect(await contracts.askPutUp({ ...asked, address: answersYes })).toBe('signed')
  })

  test('is not asked again for the same hash and signature, and is for any other', async () => {
    const { contracts } = rig.adapters
    const asked = call(wallets['says yes'].at)
    expect(await contracts.isValidSignature(asked)).toBe(true)
    await rig.chainLine.close()
    expect(await contracts.isValidSignature(asked)).toBe(true)
    expect(await codeOf(contracts.isValidSignature({ ...asked, signature: hexToBytes('0x1235') }))).toBe(
      'identity_check_unavailable',
    )
    expect(await codeOf(contracts.isValidSignature({ ...asked, hash: keccak256(utf8('another')) }))).toBe(
      'identity_check_unavailable',
    )
  })

  test('an address without code has not signed, and is remembered as one', async () => {
    const { contracts } = rig.adapters
    expect(await contracts.isValidSignature(call(worker.address))).toBe(false)
    await rig.chainLine.close()
    expect(await contracts.isValidSignature(call(worker.address))).toBe(false)
  })

  test('on a chain that is not served nobody has signed', async () => {
    expect(await rig.adapters.contracts.isValidSignature(call(wallets['says yes'].at, { chainId: 1 }))).toBe(false)
  })

  test('a node that hangs is given up after a second and a half, and what was not learnt is not remembered', async () => {
    const { contracts } = rig.adapters
    const asked = call(wallets['says yes'].at)
    rig.chainLine.mute()
    const [since, ownMs] = [performance.now(), ownClock()]
    expect(await codeOf(contracts.isValidSignature(asked))).toBe('identity_check_unavailable')
    expect(performance.now() - since).toBeGreaterThan(1_400)
    expect(await ownMs()).toBeLessThan(3_000)
    await rig.chainLine.close()
    await rig.chainLine.open()
    expect(await contracts.isValidSignature(asked)).toBe(true)
  })

  test('past its budget a chain is asked no more', async () => {
    const { contracts } = rig.adapters
    rig.chainLine.mute()
    const asked = Array.from({ length: 16 + 64 }, () =>
      codeOf(contracts.isValidSignature(call(wallets['says yes'].at))),
    )
    expect(await codeOf(contracts.isValidSignature(call(wallets['says yes'].at)))).toBe('RATE_LIMITED')
    await rig.chainLine.close()
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['identity_check_unavailable']))
    await rig.chainLine.open()
    expect(await contracts.isValidSignature(call(wallets['says yes'].at))).toBe(true)
  })

  test('pays: its authorization counts when it says so, and is no verdict while it cannot be asked', async () => {
    const { signatures } = rig.adapters
    const terms = { ...termsOf(), payer: wallets['says yes'].at, amount: amount(5_000n) }
    const signed = (): string => {
      const { envelope } = signatures.escrowChallenge(terms, new Date())
      const { payload, ...rest } = envelope as { payload: object } // as the adapter builds it
      return JSON.stringify({ ...rest, payload: { ...payload, signature: `0x${'ab'.repeat(97)}` } })
    }
    const read = await signatures.readEscrowAuthorization(signed(), terms, new Date())
    expect(read.payment.payer).toBe(wallets['says yes'].at)
    expect(
      await codeOf(
        signatures.readEscrowAuthorization(
          signed().replaceAll(wallets['says yes'].at, wallets['says no'].at),
          { ...terms, payer: wallets['says no'].at },
          new Date(),
        ),
      ),
    ).toBe('INVALID_SIGNATURE')
    const unasked = signed()
    await rig.chainLine.close()
    expect(await codeOf(signatures.readEscrowAuthorization(unasked, terms, new Date()))).toBe('CHAIN_UNAVAILABLE')
  })

  test('orders: its release order counts when it says so, is refused when it says no, and is no verdict while it cannot be asked', async () => {
    const { signatures } = rig.adapters
    const { payment } = await authorizeOrder(rig.adapters)
    const check = async (payer: Address, signature: Hex): Promise<unknown> => {
      const held = { ...payment, payer }
      const { deadline, nonce } = signatures.releaseChallenge(held, amount(1_000_000n), new Date())
      return codeOf(
        signatures.checkReleaseOrder(
          { signer: payer, deadline, nonce, signature },
          held,
          amount(1_000_000n),
          new Date(),
        ),
      )
    }
    const [yes, no] = [wallets['says yes'].at, wallets['says no'].at]
    expect(
      await Promise.all([
        check(yes, `0x${'ab'.repeat(97)}`),
        check(yes, `0x${'11'.repeat(64)}1b`),
        check(no, `0x${'ab'.repeat(97)}`),
      ]),
    ).toEqual([undefined, undefined, 'LIFECYCLE_ORDER_INVALID'])
    await rig.chainLine.close()
    expect(await check(yes, `0x${'ab'.repeat(97)}`)).toBe('CHAIN_UNAVAILABLE')
  })

  test('settles and rules: its word counts when it says so, and is no verdict while its answer does not come', async () => {
    const { signatures } = rig.adapters
    const [yes, no] = [wallets['says yes'].at, wallets['says no'].at]
    // What was answered once is remembered, so each is asked anew.
    const common = () => ({ taskId: randomUUID(), network: 'localnet', nonce: bytesToHex(randomBytes(32)) })
    const ruling = (arbiter: Address): Promise<unknown> =>
      codeOf(
        signatures.isRulingSigned(
          {
            ...common(),
            ...{
              disputeId: randomUUID(),
              verdict: 'release',
              payerPct: 0,
              reason: 'It is there.',
              criteria: ['The gate.'],
            },
            arbiter,
            deadline: new Date(),
          },
          `0x${'ab'.repeat(97)}`,
        ),
      )
    const offer = (signer: Address): Promise<unknown> =>
      codeOf(
        signatures.isOfferSigned(
          {
            ...common(),
            ...{ payment: null, payer: yes, worker: no, asset: termsOf().amount.asset, toWorker: 1n, toPayer: 0n },
            expiresAt: new Date(),
          },
          signer,
          `0x${'ab'.repeat(97)}`,
        ),
      )
    expect(await Promise.all([ruling(yes), ruling(no), offer(yes), offer(no)])).toEqual([true, false, true, false])
    rig.chainLine.mute()
    expect(await Promise.all([ruling(yes), offer(yes)])).toEqual(['CHAIN_UNAVAILABLE', 'CHAIN_UNAVAILABLE'])
    await rig.chainLine.close()
  })
})

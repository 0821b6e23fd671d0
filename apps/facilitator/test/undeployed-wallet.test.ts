import { mintTestUsd } from '@ergon/contracts'
import type { Chain } from '@ergon/dev-env'
import { concatBytes, hexToBytes, keccak256, bytesToHex, type Address, type Hex } from '@ergon/protocols'
import { serializeErc6492Signature } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc } from './harness-env.ts'
import { balanceOf, sentByFacilitator, startFundedChain, startRigBeside } from './harness.ts'
import {
  addresses,
  aPaymentInfo,
  aTransfer,
  authorizeBody,
  exactV2,
  randomHex32,
  releaseBody,
  worker,
} from '../src/testing/payments.ts'

// The contract that every development node has, which puts up what it is given (CREATE2).
const factory = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const takesFactory = { FACILITATOR_WALLET_FACTORIES: factory.toUpperCase().replace('0X', '0x') }

type Wallet = { readonly address: Address; readonly words: Hex; readonly create: Hex; readonly wrapped: Hex }

/** A wallet without code yet, with money, that signs whatever begins with its own 32 bytes. */
async function aWallet(): Promise<Wallet> {
  const words = randomHex32()
  const runtime = `7f${words.slice(2)}60643514631626ba7e60e01b0260005260206000f3`
  const initCode: Hex = `0x60${(runtime.length / 2).toString(16)}80600b6000396000f3${runtime}`
  const salt = randomHex32()
  const place = keccak256(
    concatBytes(Uint8Array.of(0xff), hexToBytes(factory), hexToBytes(salt), keccak256(hexToBytes(initCode))),
  )
  const address = bytesToHex(place.subarray(12))
  const create: Hex = `${salt}${initCode.slice(2)}`
  await mintTestUsd(chain.rpcUrl, address, 10_000_000n)
  return {
    address,
    words,
    create,
    wrapped: serializeErc6492Signature({ address: factory, data: create, signature: words }),
  }
}

let chain: Chain
beforeAll(async () => {
  chain = await startFundedChain()
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
})

const codeAt = (address: Address): Promise<unknown> => rpc(chain.rpcUrl, 'eth_getCode', [address, 'latest'])
const lockOf = (wallet: Wallet, signature: Hex = wallet.wrapped): Record<string, unknown> =>
  authorizeBody(aPaymentInfo({ payer: wallet.address }), { signature })

describe('a wallet that is yet to be put up (ERC-6492)', () => {
  test('is put up with its first lock, which is released as any other', async () => {
    await using rig = await startRigBeside(chain, takesFactory)
    const wallet = await aWallet()
    const info = aPaymentInfo({ payer: wallet.address })
    const body = authorizeBody(info, { signature: wallet.wrapped })
    expect((await rig.post('/verify', body)).body).toMatchObject({ isValid: true, payer: wallet.address })
    expect(await codeAt(wallet.address)).toBe('0x')
    const sent = await sentByFacilitator(chain.rpcUrl)
    expect((await rig.post('/settle', body)).body).toMatchObject({ success: true })
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent + 1)
    expect(await codeAt(wallet.address)).not.toBe('0x')
    const before = await balanceOf(chain.rpcUrl, worker.address)
    const release = releaseBody(info, info.maxAmount, { signer: wallet.address, signature: `${wallet.words}00` })
    expect((await rig.post('/settle', release)).body).toMatchObject({ success: true })
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before + 870_000n)
  })

  test('is not put up by a factory that the operator does not name, nor without a good signature', async () => {
    const wallet = await aWallet()
    const forged = serializeErc6492Signature({ address: factory, data: wallet.create, signature: randomHex32() })
    const other = serializeErc6492Signature({
      address: addresses.token,
      data: wallet.create,
      signature: wallet.words,
    })
    const sent = await sentByFacilitator(chain.rpcUrl)
    const refused = { body: { errorCode: 'invalid_signature' } }
    {
      await using rig = await startRigBeside(chain, takesFactory)
      for (const signature of [forged, other, wallet.words]) {
        const body = lockOf(wallet, signature)
        expect(await rig.post('/verify', body)).toMatchObject({ status: 200, body: { isValid: false } })
        expect(await rig.post('/settle', body)).toMatchObject({ status: 400, ...refused })
      }
    }
    await using rig = await startRigBeside(chain)
    expect(await rig.post('/settle', lockOf(wallet))).toMatchObject({ status: 400, ...refused })
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent)
    expect(await codeAt(wallet.address)).toBe('0x')
  })

  test('pays nobody directly: a token puts up no wallet', async () => {
    await using rig = await startRigBeside(chain, takesFactory)
    const wallet = await aWallet()
    const body = exactV2(aTransfer({ from: wallet.address }), { signature: wallet.wrapped })
    expect((await rig.post('/verify', body)).body).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_exact_evm_signature',
    })
    expect(await rig.post('/settle', body)).toMatchObject({ status: 400, body: { errorCode: 'invalid_signature' } })
  })

  test('has a tenth of the gas of a day, and the locks of others the rest', async () => {
    await using rig = await startRigBeside(chain, { ...takesFactory, FACILITATOR_PAYMENT_GAS_PER_DAY: '0/0/8' })
    expect((await rig.post('/settle', lockOf(await aWallet()))).body).toMatchObject({ success: true })
    const second = await aWallet()
    expect(await rig.post('/settle', lockOf(second))).toMatchObject({
      status: 503,
      body: { errorCode: 'gas_budget_spent', spent_by: 'deployments', broadcast: false },
    })
    expect(await codeAt(second.address)).toBe('0x')
    expect((await rig.post('/settle', authorizeBody(aPaymentInfo()))).body).toMatchObject({ success: true })
  })
})

describe('the wrapped signature of a wallet that is there', () => {
  test('counts without a call of its factory, for locks and direct payments', async () => {
    const wallet = await aWallet()
    await rpc(chain.rpcUrl, 'eth_sendTransaction', [{ from: worker.address, to: factory, data: wallet.create }])
    // No factory is called, so none needs to be named.
    await using rig = await startRigBeside(chain)
    for (const body of [lockOf(wallet), exactV2(aTransfer({ from: wallet.address }), { signature: wallet.wrapped })]) {
      expect((await rig.post('/verify', body)).body).toMatchObject({ isValid: true })
      expect((await rig.post('/settle', body)).body).toMatchObject({ success: true })
    }
  })

  test('is refused where the wallet says no', async () => {
    const wallet = await aWallet()
    await rpc(chain.rpcUrl, 'eth_sendTransaction', [{ from: worker.address, to: factory, data: wallet.create }])
    const forged = serializeErc6492Signature({ address: factory, data: wallet.create, signature: randomHex32() })
    await using rig = await startRigBeside(chain, takesFactory)
    expect(await rig.post('/settle', lockOf(wallet, forged))).toMatchObject({
      status: 400,
      body: { errorCode: 'invalid_signature' },
    })
  })

  test('is malformed where the wrapper is', async () => {
    await using rig = await startRigBeside(chain, takesFactory)
    for (const path of ['/verify', '/settle'])
      expect(await rig.post(path, lockOf(await aWallet(), `0x12${'6492'.repeat(16)}`))).toMatchObject({
        status: 400,
        body: { errorCode: 'invalid_payload' },
      })
  })
})

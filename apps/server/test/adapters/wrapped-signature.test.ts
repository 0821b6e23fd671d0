import { randomBytes } from 'node:crypto'
import { MarketError } from '@ergon/core'
import { mintTestUsd } from '@ergon/contracts'
import { bytesToHex, concatBytes, hexToBytes, keccak256, type Address, type Hex } from '@ergon/protocols'
import { serializeErc6492Signature } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractSigner, walletCode } from '../http/contract-wallet.ts'
import { amount, asTypedData, authorizeOrder, soon } from './orders.ts'
import { payer, rpc, startRig, stranger, worker, type Party, type Rig } from './rig.ts'

// The contract that every development node has, which puts up what it is given (CREATE2).
const factory = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

type Wallet = { readonly address: Address; readonly create: Hex; readonly party: Party }

/** The payer's wallet that nobody has put up yet, with money; what `by` signs for it is wrapped (ERC-6492). */
async function aWallet(by: Party): Promise<Wallet> {
  const runtime = walletCode(payer.address).slice(2)
  const initCode: Hex = `0x60${(runtime.length / 2).toString(16).padStart(2, '0')}80600b6000396000f3${runtime}`
  const salt = bytesToHex(randomBytes(32))
  const place = keccak256(
    concatBytes(Uint8Array.of(0xff), hexToBytes(factory), hexToBytes(salt), keccak256(hexToBytes(initCode))),
  )
  const address = bytesToHex(place.subarray(12))
  const create: Hex = `${salt}${initCode.slice(2)}`
  const signer = contractSigner(address, by)
  await mintTestUsd(rig.chain.rpcUrl, address, 5_000_000n)
  const wrap = (signature: Hex): Hex => serializeErc6492Signature({ address: factory, data: create, signature })
  const party: Party = {
    ...by,
    address,
    signTypedData: async (document) => wrap(await signer.signTypedData(document)),
  }
  return { address, create, party }
}

async function putUp({ create }: Wallet): Promise<void> {
  await rpc(rig.chain.rpcUrl, 'eth_sendTransaction', [{ from: stranger.address, to: factory, data: create }])
  await rpc(rig.chain.rpcUrl, 'evm_mine', [])
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof MarketError ? error.code : `not a MarketError: ${String(error)}`),
  )

let rig: Rig
beforeAll(async () => {
  rig = await startRig({ FACILITATOR_WALLET_FACTORIES: factory })
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

describe('a lock that is signed with a wrapped signature (ERC-6492)', () => {
  test.each(['yet to be put up', 'there'])('is made for a wallet that is %s', async (state) => {
    const wallet = await aWallet(payer)
    if (state === 'there') await putUp(wallet)
    const order = await authorizeOrder(rig.adapters, { signer: wallet.party })
    expect(await rig.adapters.rails('localnet').send(order, 10_000, soon())).toMatchObject({ outcome: 'settled' })
    expect(await rpc(rig.chain.rpcUrl, 'eth_getCode', [wallet.address, 'latest'])).not.toBe('0x')
  })

  test('is refused by the wallet that is there, or by the facilitator that puts it up, when its owner did not sign', async () => {
    const wallet = await aWallet(stranger)
    const order = await authorizeOrder(rig.adapters, { signer: wallet.party })
    expect(await rig.adapters.rails('localnet').send(order, 10_000, soon())).toMatchObject({
      outcome: 'refused',
      code: 'INVALID_SIGNATURE',
    })
    await putUp(wallet)
    expect(await codeOf(authorizeOrder(rig.adapters, { signer: wallet.party }))).toBe('INVALID_SIGNATURE')
  })

  test('is malformed where the wrapper is', async () => {
    const broken: Party = { ...payer, signTypedData: () => Promise.resolve<Hex>(`0x12${'6492'.repeat(16)}`) }
    expect(await codeOf(authorizeOrder(rig.adapters, { signer: broken }))).toBe('INVALID_PAYMENT_AUTH')
  })
})

test('a direct payment is made from a wallet that is there alone', async () => {
  const wallet = await aWallet(payer)
  const terms = { network: 'localnet', from: wallet.address, to: worker.address, amount: amount(1_000n) }
  const of = { taskId: '01a21485-7b29-775d-ab73-c1be5e8f5147', part: 'payout' } as const
  const read = async (): Promise<string> => {
    const { typedData, envelope } = rig.adapters.signatures.directChallenge({ ...terms, ...of }, new Date())
    const { payload, ...rest } = envelope as { payload: object } // as the adapter builds it
    const signature = await wallet.party.signTypedData(asTypedData(typedData))
    const raw = JSON.stringify({ ...rest, payload: { ...payload, signature } })
    return codeOf(rig.adapters.signatures.readDirectPayment(raw, terms, new Date()))
  }
  expect(await read()).toBe('INVALID_SIGNATURE')
  await putUp(wallet)
  expect(await read()).toBe('accepted')
})

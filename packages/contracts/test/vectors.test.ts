import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployLocalnet } from '../src/index.ts'
import { rpcCall } from '../src/json-rpc.ts'
import { startAnvil, type Anvil } from './anvil.ts'
import { createChain, type TestChain } from './chain.ts'

const baseChainId = 8453
const escrow = '0xb9488351E48b23D798f24e8174514F28B741Eb4f'
const delegate = '0x260D3D0258680aA458D0EBB8BcAE8A2f68bf6163'
const operator = '0x271f9fa7f8907aCf178CCFB470076D9129D8F0Eb'

let anvil: Anvil
let chain: TestChain

/** The local contracts with the chain id of Base, and two of them at their addresses there. */
beforeAll(async () => {
  anvil = await startAnvil()
  const { addresses } = await deployLocalnet(anvil.rpcUrl)
  for (const [from, to] of [
    [addresses.Escrow, escrow],
    [addresses.RatingDelegate, delegate],
  ]) {
    const code = await rpcCall(anvil.rpcUrl, 'eth_getCode', [from, 'latest'])
    await rpcCall(anvil.rpcUrl, 'anvil_setCode', [to, code])
  }
  await rpcCall(anvil.rpcUrl, 'anvil_setChainId', [baseChainId])
  chain = await createChain(anvil.rpcUrl)
})

afterAll(async () => {
  await anvil[Symbol.asyncDispose]()
})

test('the type hashes are those of the deployed originals', async () => {
  const hashes = {
    payment: await chain.read('Escrow', 'PAYMENT_INFO_TYPEHASH'),
    transfer: await chain.read('TestUSD', 'TRANSFER_WITH_AUTHORIZATION_TYPEHASH'),
    receive: await chain.read('TestUSD', 'RECEIVE_WITH_AUTHORIZATION_TYPEHASH'),
    cancel: await chain.read('TestUSD', 'CANCEL_AUTHORIZATION_TYPEHASH'),
    permit: await chain.read('TestUSD', 'PERMIT_TYPEHASH'),
  }
  expect(hashes).toEqual({
    payment: '0xae68ac7ce30c86ece8196b61a7c486d8f0061f575037fbd34e7fe4e2820c6591',
    transfer: '0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267',
    receive: '0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8',
    cancel: '0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429',
    permit: '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9',
  })
})

test('the hash of a payment without its payer is the nonce that clients sign on Base', async () => {
  const info = {
    operator,
    payer: '0x0000000000000000000000000000000000000000',
    receiver: `0x${'11'.repeat(20)}`,
    token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    maxAmount: 100_000n,
    preApprovalExpiry: 1_760_003_600,
    authorizationExpiry: 1_760_007_200,
    refundExpiry: 1_760_086_400,
    minFeeBps: 0,
    maxFeeBps: 1_800,
    feeReceiver: operator,
    salt: BigInt(`0x${'ab'.repeat(32)}`),
  }
  expect(await chain.read('Escrow', 'getHash', [info], { to: escrow })).toBe(
    '0x5890a092cb9b8d3c17efc8a3fca99886d05f53ced3432a530eb2b4c7ef517f59',
  )
})

test('the digest of a relayed rating is that of the delegate on Base', async () => {
  const feedback = {
    registry: '0x8004BAa17C55a88189AE136b182e5fdA19dE9b63',
    agentId: 2106n,
    value: 95n,
    valueDecimals: 0,
    tag1: 'quality',
    tag2: 'api',
    endpoint: 'https://agent.example',
    feedbackURI: 'https://execution.market/feedback/abc',
    feedbackHash: `0x${'00'.repeat(32)}`,
    deadline: 1_787_662_172n,
    nonce: `0x${'42'.repeat(32)}`,
  }
  expect(await chain.read('RatingDelegate', 'domainSeparator', [], { to: delegate })).toBe(
    '0xae792427891b13b5663e321e5c8802c304437aad75338e22a4b8e1a47243d09d',
  )
  expect(await chain.read('RatingDelegate', 'giveFeedbackDigest', [feedback], { to: delegate })).toBe(
    '0xa7a2a62dd18c44c79f7c252d628f32b3c46234b20d237866154dbe118ebaf6e1',
  )
})

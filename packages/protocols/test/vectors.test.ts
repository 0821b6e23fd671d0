import { hashMessage as viemHashMessage, recoverAddress as viemRecover, hashTypedData as viemHashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  addressOf,
  agentWalletSetTypedData,
  authorizationNonce,
  bytesToHex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  keccak256Hex,
  lifecycleOrderDigest,
  lifecycleOrderTypedData,
  networks,
  paymentInfoHash,
  privateKeySigner,
  recoverAddress,
  toChecksumAddress,
  utf8,
  type Hex,
  type LifecycleOrder,
  type PaymentInfo,
} from '../src/index.ts'
import { encodeType } from '../src/eip712.ts'
import { paymentInfoType } from '../src/payment-info.ts'
import * as relay from '../src/rating-relay.ts'

const repeat = (byte: string, times: number): Hex => `0x${byte.repeat(times)}`
const operator: Hex = '0x271f9fa7f8907aCf178CCFB470076D9129D8F0Eb'
const baseUsdc: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

describe('published vectors', () => {
  test.each<Hex>([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
  ])('EIP-55 writes %s with its checksum', (address) => {
    expect(toChecksumAddress(`0x${address.slice(2).toLowerCase()}`)).toBe(address)
  })

  test('keccak-256 of nothing is the known hash of nothing', () => {
    expect(keccak256Hex(new Uint8Array(0))).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
  })

  test('EIP-191 counts bytes, not characters', () => {
    for (const text of ['', 'hello', 'grüße ✓', 'x'.repeat(1000)]) {
      expect(bytesToHex(hashMessage(text))).toBe(viemHashMessage(text))
      expect(bytesToHex(hashMessage(utf8(text)))).toBe(viemHashMessage(text))
    }
  })

  test('EIP-712 hashes the Mail example of the standard', () => {
    const person = [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ]
    const mail = [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ]
    const digest = hashTypedData({
      domain: {
        name: 'Ether Mail',
        version: '1',
        chainId: 1,
        verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
      },
      types: { Person: person, Mail: mail },
      primaryType: 'Mail',
      message: {
        from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
        to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
        contents: 'Hello, Bob!',
      },
    })
    expect(bytesToHex(digest)).toBe('0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2')
  })

  test.each([
    ['TransferWithAuthorization', '0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267'],
    ['ReceiveWithAuthorization', '0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8'],
  ])('EIP-3009 %s has its published type hash', (name, hash) => {
    const members = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'
    expect(keccak256Hex(utf8(`${name}(${members})`))).toBe(hash)
  })

  test('the payment-info type hash is the one the escrow publishes', () => {
    expect(keccak256Hex(utf8(paymentInfoType))).toBe(
      '0xae68ac7ce30c86ece8196b61a7c486d8f0061f575037fbd34e7fe4e2820c6591',
    )
  })

  test.each([
    ['relayedGiveFeedbackTypedData', /^0x1303f838[0-9a-f]{52}85c0$/],
    ['relayedRevokeFeedbackTypedData', /^0x4216eda3/],
    ['relayedAppendResponseTypedData', /^0xcf4215ad/],
  ] as const)('%s has the type hash of the delegate', (name, shape) => {
    // The fields alone decide the type; the message is not read here.
    const td = relay[name]({ chainId: 8453, verifyingContract: operator }, {} as never)
    expect(keccak256Hex(utf8(encodeType(td.types, td.primaryType)))).toMatch(shape)
  })

  test('the wallet consent of ERC-8004 hashes as viem hashes it', () => {
    const td = agentWalletSetTypedData(
      { agentId: 7n, newWallet: operator, owner: baseUsdc, deadline: 1_790_000_000 },
      8453,
      operator,
    )
    expect(bytesToHex(hashTypedData(td))).toBe(viemHashTypedData(td as never))
  })
})

describe('payment terms', () => {
  const info: PaymentInfo = {
    operator,
    payer: repeat('33', 20),
    receiver: repeat('11', 20),
    token: baseUsdc,
    maxAmount: 100_000n,
    preApprovalExpiry: 1_760_003_600,
    authorizationExpiry: 1_760_007_200,
    refundExpiry: 1_760_086_400,
    minFeeBps: 0,
    maxFeeBps: 1800,
    feeReceiver: operator,
    salt: BigInt(repeat('ab', 32)),
  }
  const escrow = networks.base.escrow?.escrow ?? operator

  test('the EIP-3009 nonce is the hash of the terms with the payer left zero', () => {
    const nonce = '0x5890a092cb9b8d3c17efc8a3fca99886d05f53ced3432a530eb2b4c7ef517f59'
    expect(authorizationNonce(info, 8453, escrow)).toBe(nonce)
    expect(authorizationNonce({ ...info, payer: repeat('44', 20) }, 8453, escrow)).toBe(nonce)
    expect(paymentInfoHash({ ...info, payer: repeat('00', 20) }, 8453, escrow)).toBe(nonce)
    expect(paymentInfoHash(info, 8453, escrow)).not.toBe(nonce)
  })
})

describe('lifecycle order', () => {
  test('a release order hashes and signs as published', async () => {
    const key = repeat('11', 32)
    const signer = privateKeySigner(key)
    const order: LifecycleOrder = {
      action: 'release',
      amount: 1_000_000n,
      deadline: 1_757_000_600,
      nonce: repeat('01', 32),
      paymentInfo: {
        operator,
        payer: signer.address,
        receiver: repeat('22', 20),
        token: baseUsdc,
        maxAmount: 1_000_000n,
        preApprovalExpiry: 1_757_003_600,
        authorizationExpiry: 1_757_007_200,
        refundExpiry: 1_759_592_000,
        minFeeBps: 0,
        maxFeeBps: 1300,
        feeReceiver: '0xaE07cEB6b395BC685a776a0b4c489E8d9cE9A6ad',
        salt: 12_345n,
      },
    }
    const digest = '0x3dbd8a90a80785131a198a685f9f7400b1bf9a48d998e3aa1853abae56921918'
    const td = lifecycleOrderTypedData(order, 8453)
    expect(bytesToHex(lifecycleOrderDigest(order, 8453))).toBe(digest)
    expect(bytesToHex(hashTypedData(td))).toBe(digest)
    expect(viemHashTypedData(JSON.parse(JSON.stringify(td)))).toBe(digest)
    const signature = await signer.signTypedData(td)
    expect(signature).toMatch(/^0x78fe1438.*a71c$/)
    expect(recoverAddress(hexToBytes(digest), hexToBytes(signature))).toBe(signer.address)
    expect((await viemRecover({ hash: digest, signature })).toLowerCase()).toBe(signer.address)
  })
})

describe('a signer with a private key', () => {
  const key: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
  const ours = privateKeySigner(key)
  const theirs = privateKeyToAccount(key)

  test('has the address of its key', () => {
    expect(ours.address).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
    expect(addressOf(hexToBytes(key))).toBe(ours.address)
  })

  test('signs messages as viem does', async () => {
    for (const message of ['', 'hello', 'ä'.repeat(300)]) {
      expect(await ours.signMessage(message)).toBe(await theirs.signMessage({ message }))
    }
  })

  test.each([
    [0, 0],
    [1, 127],
    [8453, 128],
    [31337, 65_536],
    [1_187_947_933, 9],
  ])('delegates on chain %i with account nonce %i as viem does (EIP-7702)', async (chainId, nonce) => {
    const signed = await theirs.signAuthorization({ chainId, nonce, address: operator })
    const { yParity, r, s } = signed
    expect(await ours.signAuthorization({ chainId, nonce, address: operator })).toEqual({
      chainId,
      nonce,
      address: operator.toLowerCase(),
      yParity,
      r: `0x${r.slice(2).padStart(64, '0')}`,
      s: `0x${s.slice(2).padStart(64, '0')}`,
    })
  })

  test.each([repeat('00', 32), '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'] as const)(
    'refuses %s as a key',
    (bad) => {
      expect(() => privateKeySigner(bad)).toThrow('no private key of secp256k1')
    },
  )

  test.each([
    ['nothing, as of a variable that is not set', undefined, 'undefined'],
    ['a text without 0x', '47'.repeat(32), 'a text of 64 characters'],
    ['a key with the end of its line', `0x${'47'.repeat(32)}\n`, 'a text of 67 characters'],
    ['a key in quotes', `"0x${'47'.repeat(32)}"`, 'a text of 68 characters'],
    ['half a key', `0x${'47'.repeat(16)}`, 'a text of 34 characters'],
  ])('says how a key looks to whoever gives %s, and not what was given', (_what, given, form) => {
    expect(() => privateKeySigner(given as `0x${string}`)).toThrow(
      new RegExp(`^a private key is 0x and 64 hex digits; what was given is ${form}$`),
    )
  })
})

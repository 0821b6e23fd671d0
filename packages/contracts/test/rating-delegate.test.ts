import { describe, expect, test } from 'vitest'
import { encodeFunctionData, type Hex, numberToHex, parseEventLogs, parseSignature, slice } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { artifacts, localAddresses, localChainId } from '../src/index.ts'
import { abiOf, accountAt, type TestChain } from './chain.ts'
import { useLocalChain } from './local-chain.ts'
import { malleableTwin } from './malleable-twin.ts'
import { receiptOf } from './receipt.ts'
import {
  anOperatorPayment,
  asFacilitator,
  authorizationFields,
  facilitator,
  payee,
  paymentHash,
  stateOf,
  tokenDomain,
  zeroAddress,
} from './payment.ts'

const chainOf = useLocalChain()
const { RatingDelegate, ReputationRegistry } = localAddresses
const delegateAbi = abiOf(artifacts.RatingDelegate)
const noHash: Hex = `0x${'00'.repeat(32)}`
let nonces = 0

const give = {
  RelayedGiveFeedback: [
    { name: 'registry', type: 'address' },
    { name: 'agentId', type: 'uint256' },
    { name: 'value', type: 'int128' },
    { name: 'valueDecimals', type: 'uint8' },
    { name: 'tag1', type: 'string' },
    { name: 'tag2', type: 'string' },
    { name: 'endpoint', type: 'string' },
    { name: 'feedbackURI', type: 'string' },
    { name: 'feedbackHash', type: 'bytes32' },
    { name: 'deadline', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const revoke = {
  RelayedRevokeFeedback: [
    { name: 'registry', type: 'address' },
    { name: 'agentId', type: 'uint256' },
    { name: 'feedbackIndex', type: 'uint64' },
    { name: 'deadline', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const respond = {
  RelayedAppendResponse: [
    { name: 'registry', type: 'address' },
    { name: 'agentId', type: 'uint256' },
    { name: 'clientAddress', type: 'address' },
    { name: 'feedbackIndex', type: 'uint64' },
    { name: 'responseURI', type: 'string' },
    { name: 'responseHash', type: 'bytes32' },
    { name: 'deadline', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const cancel = {
  RelayedCancelNonce: [
    { name: 'nonce', type: 'bytes32' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

const domainOf = (rater: `0x${string}`) =>
  ({ name: 'FeedbackDelegate', version: '1', chainId: localChainId, verifyingContract: rater }) as const

type Relay = {
  readonly registry: `0x${string}`
  readonly agentId: bigint
  readonly deadline: bigint
  readonly nonce: Hex
}

async function aRelay(chain: TestChain): Promise<Relay> {
  return {
    registry: ReputationRegistry,
    agentId: 0n,
    deadline: BigInt((await chain.now()) + 900),
    nonce: numberToHex(++nonces, { size: 32 }),
  }
}

const rating = {
  value: 95n,
  valueDecimals: 0,
  tag1: 'quality',
  tag2: 'task',
  endpoint: '',
  feedbackURI: 'ipfs://f',
  feedbackHash: noHash,
}

/** A new key with nothing on the chain: raters have no coin for gas. */
function aRater(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey())
}

async function delegate(chain: TestChain, rater: PrivateKeyAccount) {
  const nonce = await chain.reader.getTransactionCount({ address: rater.address })
  return rater.signAuthorization({ chainId: localChainId, address: RatingDelegate, nonce })
}

/** The facilitator calls the rater's own address, with the delegation when it is the first time. */
async function relay(chain: TestChain, rater: PrivateKeyAccount, data: Hex, isFirst: boolean) {
  const hash = await chain.writer.sendTransaction({
    account: facilitator,
    to: rater.address,
    data,
    gas: 600_000n,
    ...(isFirst ? { authorizationList: [await delegate(chain, rater)] } : {}),
  })
  return receiptOf(chain.reader, hash)
}

async function delegatedRater(chain: TestChain): Promise<PrivateKeyAccount> {
  const rater = aRater()
  const receipt = await relay(chain, rater, '0x', true)
  expect(receipt.status).toBe('success')
  return rater
}

async function signGive(rater: PrivateKeyAccount, message: Relay & typeof rating, domain = domainOf(rater.address)) {
  return rater.signTypedData({ domain, types: give, primaryType: 'RelayedGiveFeedback', message })
}

describe('a relayed rating', () => {
  test('has the rater as author, costs the rater nothing, and needs the delegation once', async () => {
    const chain = chainOf()
    const rater = aRater()
    for (const isFirst of [true, false]) {
      const message = { ...(await aRelay(chain)), ...rating }
      const data = encodeFunctionData({
        abi: delegateAbi,
        functionName: 'relayGiveFeedback',
        args: [message, await signGive(rater, message)],
      })
      const receipt = await relay(chain, rater, data, isFirst)
      expect(receipt.status).toBe('success')
      const [log] = parseEventLogs({
        abi: abiOf(artifacts.ReputationRegistry),
        logs: receipt.logs,
        eventName: 'NewFeedback',
      })
      expect(log?.args).toMatchObject({
        agentId: 0n,
        clientAddress: rater.address,
        feedbackIndex: isFirst ? 1n : 2n,
        value: 95n,
      })
      expect(await chain.read('RatingDelegate', 'nonceUsed', [message.nonce], { to: rater.address })).toBe(true)
      expect(await chain.read('RatingDelegate', 'nonceUsed', [message.nonce])).toBe(false)
    }
    expect(await chain.reader.getCode({ address: rater.address })).toBe(
      `0xef0100${RatingDelegate.slice(2).toLowerCase()}`,
    )
    expect(await chain.reader.getBalance({ address: rater.address })).toBe(0n)
    expect(await chain.read('ReputationRegistry', 'getClients', [0n])).toContain(rater.address)
  })

  test('is refused twice, late, to another registry, changed, or signed by another', async () => {
    const chain = chainOf()
    const rater = await delegatedRater(chain)
    const other = await delegatedRater(chain)
    const good = { ...(await aRelay(chain)), ...rating }
    const signature = await signGive(rater, good)
    const call = { to: rater.address, ...asFacilitator }
    await chain.write('RatingDelegate', 'relayGiveFeedback', [good, signature], call)

    const next = { ...(await aRelay(chain)), ...rating }
    const late = { ...next, deadline: BigInt((await chain.now()) - 1) }
    const elsewhere = { ...next, registry: localAddresses.IdentityRegistry }
    const cases: readonly (readonly [string, typeof next, Hex, `0x${string}`])[] = [
      ['NonceAlreadyUsed', good, signature, rater.address],
      ['SignatureExpired', late, await signGive(rater, late), rater.address],
      ['WrongRegistry', elsewhere, await signGive(rater, elsewhere), rater.address],
      ['InvalidSignature', next, await signGive(other, next, domainOf(rater.address)), rater.address],
      ['InvalidSignature', next, await signGive(rater, next, domainOf(RatingDelegate)), rater.address],
      ['InvalidSignature', next, await signGive(rater, next), other.address],
      ['InvalidSignature', { ...next, value: 5n }, await signGive(rater, next), rater.address],
      ['InvalidSignature', { ...next, valueDecimals: 2 }, await signGive(rater, next), rater.address],
      ['InvalidSignature', { ...next, feedbackURI: 'ipfs://g' }, await signGive(rater, next), rater.address],
      ['InvalidSignature', next, '0x', rater.address],
      [
        'ERC721NonexistentToken',
        { ...next, agentId: 999n },
        await signGive(rater, { ...next, agentId: 999n }),
        rater.address,
      ],
    ]
    for (const [error, message, sig, to] of cases) {
      expect(
        await chain.revertOf('RatingDelegate', 'relayGiveFeedback', [message, sig], { to, ...asFacilitator }),
      ).toBe(error)
    }
  })

  test('is valid until its deadline, included', async () => {
    const chain = chainOf()
    const rater = await delegatedRater(chain)
    const call = { to: rater.address, ...asFacilitator }
    const [first, second] = [
      { ...(await aRelay(chain)), ...rating },
      { ...(await aRelay(chain)), ...rating },
    ]
    const last = Number(first.deadline)
    const args = [first, await signGive(rater, first)]
    expect(await chain.statusAt(last, 'RatingDelegate', 'relayGiveFeedback', args, call)).toBe('success')
    const late = [
      { ...second, deadline: first.deadline },
      await signGive(rater, { ...second, deadline: first.deadline }),
    ]
    expect(await chain.statusAt(last + 1, 'RatingDelegate', 'relayGiveFeedback', late, call)).toBe('reverted')
    expect(await chain.revertOf('RatingDelegate', 'relayGiveFeedback', late, call)).toBe('SignatureExpired')
  })

  test('is revoked and answered the same way', async () => {
    const chain = chainOf()
    const rater = await delegatedRater(chain)
    const call = { to: rater.address, ...asFacilitator }
    const domain = domainOf(rater.address)
    const given = { ...(await aRelay(chain)), ...rating }
    await chain.write('RatingDelegate', 'relayGiveFeedback', [given, await signGive(rater, given)], call)

    const answer = {
      ...(await aRelay(chain)),
      clientAddress: rater.address,
      feedbackIndex: 1n,
      responseURI: 'ipfs://r',
      responseHash: noHash,
    }
    const answered = await rater.signTypedData({
      domain,
      types: respond,
      primaryType: 'RelayedAppendResponse',
      message: answer,
    })
    expect(
      await chain.revertOf('RatingDelegate', 'relayAppendResponse', [{ ...answer, feedbackIndex: 2n }, answered], call),
    ).toBe('InvalidSignature')
    const elsewhere = { ...answer, registry: zeroAddress }
    expect(await chain.revertOf('RatingDelegate', 'relayAppendResponse', [elsewhere, answered], call)).toBe(
      'WrongRegistry',
    )
    await chain.write('RatingDelegate', 'relayAppendResponse', [answer, answered], call)
    expect(await chain.read('ReputationRegistry', 'getResponseCount', [0n, rater.address, 1n, [rater.address]])).toBe(
      1n,
    )

    const message = { ...(await aRelay(chain)), feedbackIndex: 1n }
    const signature = await rater.signTypedData({
      domain,
      types: revoke,
      primaryType: 'RelayedRevokeFeedback',
      message,
    })
    expect(
      await chain.revertOf(
        'RatingDelegate',
        'relayRevokeFeedback',
        [{ ...message, registry: zeroAddress }, signature],
        call,
      ),
    ).toBe('WrongRegistry')
    await chain.write('RatingDelegate', 'relayRevokeFeedback', [message, signature], call)
    expect(await chain.read('ReputationRegistry', 'readFeedback', [0n, rater.address, 1n])).toMatchObject({ 4: true })
  })

  test('is worthless after its nonce was canceled', async () => {
    const chain = chainOf()
    const rater = await delegatedRater(chain)
    const call = { to: rater.address, ...asFacilitator }
    const message = { ...(await aRelay(chain)), ...rating }
    const signature = await rater.signTypedData({
      domain: domainOf(rater.address),
      types: cancel,
      primaryType: 'RelayedCancelNonce',
      message: { nonce: message.nonce, deadline: message.deadline },
    })
    await chain.write('RatingDelegate', 'cancelNonceWithSig', [message.nonce, message.deadline, signature], call)
    const args = [message, await signGive(rater, message)]
    expect(await chain.revertOf('RatingDelegate', 'relayGiveFeedback', args, call)).toBe('NonceAlreadyUsed')
  })
})

describe('a delegated account goes on working', () => {
  test('it says that it relays, receives tokens and signs', async () => {
    const chain = chainOf()
    const rater = await delegatedRater(chain)
    const at = { to: rater.address }
    expect(await chain.read('RatingDelegate', 'VERSION', [], at)).toBe(4n)
    expect(await chain.read('RatingDelegate', 'REPUTATION_REGISTRY', [], at)).toBe(ReputationRegistry)
    for (const id of ['0x01ffc9a7', '0x378a0c90', '0x150b7a02', '0x4e2312e0', '0x1626ba7e']) {
      expect(await chain.read('RatingDelegate', 'supportsInterface', [id], at), id).toBe(true)
    }
    expect(await chain.read('RatingDelegate', 'supportsInterface', ['0xffffffff'], at)).toBe(false)
    const tokens = [zeroAddress, zeroAddress, 0n, 0n, '0x'] as const
    expect(await chain.read('RatingDelegate', 'onERC1155Received', tokens, at)).toBe('0xf23a6e61')
    expect(
      await chain.read('RatingDelegate', 'onERC1155BatchReceived', [zeroAddress, zeroAddress, [], [], '0x'], at),
    ).toBe('0xbc197c81')
    const signature = await rater.sign({ hash: noHash })
    expect(await chain.read('RatingDelegate', 'isValidSignature', [noHash, signature], at)).toBe('0x1626ba7e')
    for (const bad of [slice(signature, 0, 64), malleableTwin(signature), await accountAt(4).sign({ hash: noHash })]) {
      expect(await chain.read('RatingDelegate', 'isValidSignature', [noHash, bad], at)).toBe('0xffffffff')
    }
  })

  test('it receives an agent and the coin of the chain', async () => {
    const chain = chainOf()
    const rater = await delegatedRater(chain)
    // register answers the id that it is about to give.
    const id = (await chain.read('IdentityRegistry', 'register', [], asFacilitator)) as bigint
    await chain.write('IdentityRegistry', 'register', [], asFacilitator)
    await chain.write('IdentityRegistry', 'safeTransferFrom', [facilitator.address, rater.address, id], asFacilitator)
    expect(await chain.read('IdentityRegistry', 'ownerOf', [id])).toBe(rater.address)
    await chain.settle(await chain.writer.sendTransaction({ account: facilitator, to: rater.address, value: 3n }))
    expect(await chain.reader.getBalance({ address: rater.address })).toBe(3n)
  })

  test('it pays: the coin asks the account for its signature and the escrow does not mind', async () => {
    const chain = chainOf()
    const rater = await delegatedRater(chain)
    await chain.mint(rater.address, 1_000_000n)
    const info = await anOperatorPayment(chain, { payer: rater.address, receiver: payee.address })
    const signature = await rater.signTypedData({
      domain: tokenDomain,
      types: { ReceiveWithAuthorization: authorizationFields },
      primaryType: 'ReceiveWithAuthorization',
      message: {
        from: rater.address,
        to: localAddresses.Eip3009Collector,
        value: info.maxAmount,
        validAfter: 0n,
        validBefore: BigInt(info.preApprovalExpiry),
        nonce: await paymentHash(chain, { ...info, payer: zeroAddress }),
      },
    })
    expect(parseSignature(signature).r).toMatch(/^0x/)
    await chain.write(
      'Operator',
      'authorize',
      [info, info.maxAmount, localAddresses.Eip3009Collector, signature],
      asFacilitator,
    )
    expect(await stateOf(chain, info)).toEqual([true, 1_000_000n, 0n])
  })
})

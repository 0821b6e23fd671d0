import {
  decodeFunctionData,
  encodeFunctionData,
  toEventSelector,
  toFunctionSelector,
  type Abi,
  type AbiEvent,
  type AbiFunction,
} from 'viem'
import { describe, expect, test } from 'vitest'
import * as abis from '../src/abis.ts'
import { keccak256Hex, utf8, type Address, type PaymentInfo } from '../src/index.ts'

const all: Readonly<Record<string, Abi>> = {
  ...abis,
  operatorAbi: [],
  legacy: abis.operatorAbi.legacy,
  create3: abis.operatorAbi.create3,
}

/** Selectors by signature prefix `name(` or whole signature, as the deployed contracts answer. */
const functions: readonly (readonly [string, string, readonly string[]])[] = [
  ['escrowAbi', 'authorize', ['0x41d66202']],
  ['escrowAbi', 'capture', ['0x644cd79a']],
  ['escrowAbi', 'charge', ['0x9e65819f']],
  ['escrowAbi', 'void', ['0xfa1cad17']],
  ['escrowAbi', 'reclaim', ['0xe1a2a66d']],
  ['escrowAbi', 'refund', ['0xd458db5a']],
  ['escrowAbi', 'partialVoid', ['0x90ce468c']],
  ['escrowAbi', 'getHash', ['0x063a70ff']],
  ['escrowAbi', 'paymentState', ['0x34b778ed']],
  ['escrowAbi', 'getTokenStore', ['0x9d3facde']],
  ['escrowAbi', 'tokenStoreImplementation', ['0xa834c89b']],
  ['escrowAbi', 'PAYMENT_INFO_TYPEHASH', ['0xe15d987a']],
  ['legacy', 'authorize', ['0x41d66202']],
  ['legacy', 'release', ['0xecf39b0a']],
  ['legacy', 'refundInEscrow', ['0xe2b8996f']],
  ['create3', 'release', ['0xc602dd4a']],
  ['create3', 'refundInEscrow', ['0x4e04eaa0']],
  ['legacy', 'charge', ['0x3d2c2d9d']],
  ['legacy', 'refundPostEscrow', ['0x1eefbfd9']],
  ['legacy', 'distributeFees', ['0x9413f25c']],
  ['legacy', 'authorizedFees', ['0x91d897b1']],
  ['legacy', 'accumulatedProtocolFees', ['0x8e26a488']],
  ['legacy', 'ESCROW', ['0xe681c4aa']],
  ['legacy', 'FEE_RECIPIENT', ['0xebd09054']],
  ['legacy', 'FEE_CALCULATOR', ['0x77655592']],
  ['legacy', 'PROTOCOL_FEE_CONFIG', ['0x5782189c']],
  ['identityRegistryAbi', 'register', ['0x1aa3a008', '0xf2c298be', '0x8ea42286']],
  ['identityRegistryAbi', 'setAgentURI', ['0x0af28bd3']],
  ['identityRegistryAbi', 'getMetadata', ['0xcb4799f2']],
  ['identityRegistryAbi', 'setMetadata', ['0x466648da']],
  ['identityRegistryAbi', 'setAgentWallet', ['0x2d1ef5ae']],
  ['identityRegistryAbi', 'getAgentWallet', ['0x00339509']],
  ['identityRegistryAbi', 'unsetAgentWallet', ['0x3fddcf19']],
  ['identityRegistryAbi', 'isAuthorizedOrOwner', ['0xd95e72be']],
  ['reputationRegistryAbi', 'giveFeedback', ['0x3c036a7e']],
  ['reputationRegistryAbi', 'revokeFeedback', ['0x4ab3ca99']],
  ['reputationRegistryAbi', 'appendResponse', ['0xc2349ab2']],
  ['reputationRegistryAbi', 'getSummary', ['0x81bbba58']],
  ['reputationRegistryAbi', 'readFeedback', ['0x232b0810']],
  ['reputationRegistryAbi', 'readAllFeedback', ['0xd9d84224']],
  ['reputationRegistryAbi', 'getClients', ['0x42dd519c']],
  ['reputationRegistryAbi', 'getLastIndex', ['0xf2d81759']],
  ['reputationRegistryAbi', 'getResponseCount', ['0x6e04cacd']],
  ['reputationRegistryAbi', 'getIdentityRegistry', ['0xbc4d861b']],
  ['tokenAbi', 'receiveWithAuthorization', ['0xef55bec6', '0x88b7ab63']],
  ['tokenAbi', 'transferWithAuthorization', ['0xe3ee160e', '0xcf092995']],
]

const events: readonly (readonly [string, string, string])[] = [
  ['escrowAbi', 'PaymentAuthorized', '0x1c81fb2e'],
  ['escrowAbi', 'PaymentCaptured', '0xe749f7bb'],
  ['escrowAbi', 'PaymentCharged', '0x943ae434'],
  ['escrowAbi', 'PaymentVoided', '0xcadce8c3'],
  ['escrowAbi', 'PaymentPartiallyVoided', '0x8cfa0660'],
  ['escrowAbi', 'PaymentReclaimed', '0x78e1d723'],
  ['escrowAbi', 'PaymentRefunded', '0x1bf41537'],
  ['escrowAbi', 'TokenStoreCreated', '0xd8699a10'],
  ['legacy', 'AuthorizationCreated', '0x25a881a7'],
  ['legacy', 'ReleaseExecuted', '0xef376467'],
  ['legacy', 'RefundInEscrowExecuted', '0x4636fb10'],
]

const errors: readonly (readonly [string, string, string])[] = [
  ['escrowAbi', 'InvalidSender', '0xe1130dba'],
  ['escrowAbi', 'ZeroAmount', '0x1f2a2005'],
  ['escrowAbi', 'AmountOverflow', '0x6c0442a2'],
  ['escrowAbi', 'ExceedsMaxAmount', '0x092af19e'],
  ['escrowAbi', 'AfterPreApprovalExpiry', '0xc46cf60f'],
  ['escrowAbi', 'InvalidExpiries', '0x88ef0760'],
  ['escrowAbi', 'FeeBpsOverflow', '0xbf47e3f7'],
  ['escrowAbi', 'InvalidFeeBpsRange', '0x0950d5d0'],
  ['escrowAbi', 'FeeBpsOutOfRange', '0x0b345f0c'],
  ['escrowAbi', 'ZeroFeeReceiver', '0xb6802b7f'],
  ['escrowAbi', 'InvalidFeeReceiver', '0x4caf6a34'],
  ['escrowAbi', 'InvalidCollectorForOperation', '0x5313287d'],
  ['escrowAbi', 'TokenCollectionFailed', '0x3c73c4a0'],
  ['escrowAbi', 'PaymentAlreadyCollected', '0xad7c145a'],
  ['escrowAbi', 'AfterAuthorizationExpiry', '0x36f2d211'],
  ['escrowAbi', 'InsufficientAuthorization', '0x604b0947'],
  ['escrowAbi', 'ZeroAuthorization', '0x93bb7a12'],
  ['escrowAbi', 'BeforeAuthorizationExpiry', '0xaa5674ad'],
  ['escrowAbi', 'AfterRefundExpiry', '0x94271bde'],
  ['escrowAbi', 'RefundExceedsCapture', '0x6295d604'],
  ['escrowAbi', 'Reentrancy', '0xab143c06'],
  ['escrowAbi', 'PartialVoidExceedsCapturable', '0x3a4366b7'],
  ['legacy', 'InvalidFeeReceiver', '0xd200485c'],
  ['legacy', 'FeeBoundsIncompatible', '0xa465d66c'],
  ['legacy', 'ConditionNotMet', '0x741926a1'],
  ['identityRegistryAbi', 'ERC721NonexistentToken', '0x7e273289'],
]

describe('the ABIs name what the deployed contracts answer to', () => {
  test.each(functions)('%s.%s', (abi, name, selectors) => {
    const found = all[abi]?.filter((item): item is AbiFunction => item.type === 'function' && item.name === name) ?? []
    expect(found.map(toFunctionSelector).sort()).toEqual([...selectors].sort())
  })

  test.each(events)('event %s.%s', (abi, name, topic) => {
    const found = all[abi]?.find((item): item is AbiEvent => item.type === 'event' && item.name === name)
    expect(found && toEventSelector(found).slice(0, 10)).toBe(topic)
  })

  test.each(errors)('error %s.%s', (abi, name, selector) => {
    const found = all[abi]?.find((item) => item.type === 'error' && item.name === name)
    const inputs = found?.type === 'error' ? found.inputs.map((input) => input.type).join(',') : 'none'
    expect(keccak256Hex(utf8(`${name}(${inputs})`)).slice(0, 10)).toBe(selector)
  })

  test('the delegate relays under the interface id it announces (ERC-165)', () => {
    const relays =
      all['ratingDelegateAbi']?.filter(
        (item): item is AbiFunction => item.type === 'function' && item.name.startsWith('relay'),
      ) ?? []
    const id = relays.map((item) => BigInt(toFunctionSelector(item))).reduce((a, b) => a ^ b, 0n)
    expect(id.toString(16)).toBe('378a0c90')
  })

  test('the terms of a payment enter a call as they are, and come back', () => {
    const address: Address = `0x${'11'.repeat(20)}`
    const info: PaymentInfo = {
      operator: address,
      payer: address,
      receiver: address,
      token: address,
      maxAmount: 2n ** 120n - 1n,
      preApprovalExpiry: 2 ** 48 - 1,
      authorizationExpiry: 1,
      refundExpiry: 2,
      minFeeBps: 0,
      maxFeeBps: 1300,
      feeReceiver: address,
      salt: 2n ** 256n - 1n,
    }
    const data = encodeFunctionData({ abi: abis.operatorAbi.legacy, functionName: 'release', args: [info, 7n] })
    expect(data.slice(0, 10)).toBe('0xecf39b0a')
    expect(decodeFunctionData({ abi: abis.operatorAbi.legacy, data }).args).toEqual([info, 7n])
  })
})

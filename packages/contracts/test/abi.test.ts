import { describe, expect, test } from 'vitest'
import { type Abi, type AbiEvent, keccak256, parseAbi, stringToHex, toEventSelector, toFunctionSelector } from 'viem'
import { formatAbiItem } from 'viem/utils'
import { artifacts, type ContractName } from '../src/index.ts'
import { abiOf } from './chain.ts'

// The values of the deployed originals. A function may have several selectors: one for each overload.
const functions: readonly (readonly [ContractName, string, ...string[]])[] = [
  ['Escrow', 'authorize', '0x41d66202'],
  ['Escrow', 'capture', '0x644cd79a'],
  ['Escrow', 'charge', '0x9e65819f'],
  ['Escrow', 'void', '0xfa1cad17'],
  ['Escrow', 'reclaim', '0xe1a2a66d'],
  ['Escrow', 'refund', '0xd458db5a'],
  ['Escrow', 'partialVoid', '0x90ce468c'],
  ['Escrow', 'getHash', '0x063a70ff'],
  ['Escrow', 'paymentState', '0x34b778ed'],
  ['Escrow', 'getTokenStore', '0x9d3facde'],
  ['Escrow', 'tokenStoreImplementation', '0xa834c89b'],
  ['Escrow', 'PAYMENT_INFO_TYPEHASH', '0xe15d987a'],
  ['Operator', 'authorize', '0x41d66202'],
  ['Operator', 'release', '0xecf39b0a', '0xc602dd4a'],
  ['Operator', 'refundInEscrow', '0xe2b8996f', '0x4e04eaa0'],
  ['Operator', 'charge', '0x3d2c2d9d'],
  ['Operator', 'refundPostEscrow', '0x1eefbfd9'],
  ['Operator', 'distributeFees', '0x9413f25c'],
  ['Operator', 'authorizedFees', '0x91d897b1'],
  ['Operator', 'accumulatedProtocolFees', '0x8e26a488'],
  ['Operator', 'ESCROW', '0xe681c4aa'],
  ['Operator', 'FEE_RECIPIENT', '0xebd09054'],
  ['Operator', 'FEE_CALCULATOR', '0x77655592'],
  ['Operator', 'PROTOCOL_FEE_CONFIG', '0x5782189c'],
  ['IdentityRegistry', 'register', '0x1aa3a008', '0xf2c298be', '0x8ea42286'],
  ['IdentityRegistry', 'setAgentURI', '0x0af28bd3'],
  ['IdentityRegistry', 'getMetadata', '0xcb4799f2'],
  ['IdentityRegistry', 'setMetadata', '0x466648da'],
  ['IdentityRegistry', 'setAgentWallet', '0x2d1ef5ae'],
  ['IdentityRegistry', 'getAgentWallet', '0x00339509'],
  ['IdentityRegistry', 'unsetAgentWallet', '0x3fddcf19'],
  ['IdentityRegistry', 'isAuthorizedOrOwner', '0xd95e72be'],
  ['ReputationRegistry', 'giveFeedback', '0x3c036a7e'],
  ['ReputationRegistry', 'revokeFeedback', '0x4ab3ca99'],
  ['ReputationRegistry', 'appendResponse', '0xc2349ab2'],
  ['ReputationRegistry', 'getSummary', '0x81bbba58'],
  ['ReputationRegistry', 'readFeedback', '0x232b0810'],
  ['ReputationRegistry', 'readAllFeedback', '0xd9d84224'],
  ['ReputationRegistry', 'getClients', '0x42dd519c'],
  ['ReputationRegistry', 'getLastIndex', '0xf2d81759'],
  ['ReputationRegistry', 'getResponseCount', '0x6e04cacd'],
  ['ReputationRegistry', 'getIdentityRegistry', '0xbc4d861b'],
  ['TestUSD', 'receiveWithAuthorization', '0xef55bec6', '0x88b7ab63'],
  ['TestUSD', 'transferWithAuthorization', '0xe3ee160e', '0xcf092995'],
  ['TestUSD', 'cancelAuthorization', '0x5a049a70', '0xb7b72899'],
  ['TestUSD', 'permit', '0xd505accf', '0x9fd5a6cf'],
  ['TestUSD', 'authorizationState', '0xe94a0102'],
]

const errors: readonly (readonly [ContractName, string, string])[] = [
  ['Escrow', 'InvalidSender', '0xe1130dba'],
  ['Escrow', 'ZeroAmount', '0x1f2a2005'],
  ['Escrow', 'AmountOverflow', '0x6c0442a2'],
  ['Escrow', 'ExceedsMaxAmount', '0x092af19e'],
  ['Escrow', 'AfterPreApprovalExpiry', '0xc46cf60f'],
  ['Escrow', 'InvalidExpiries', '0x88ef0760'],
  ['Escrow', 'FeeBpsOverflow', '0xbf47e3f7'],
  ['Escrow', 'InvalidFeeBpsRange', '0x0950d5d0'],
  ['Escrow', 'FeeBpsOutOfRange', '0x0b345f0c'],
  ['Escrow', 'ZeroFeeReceiver', '0xb6802b7f'],
  ['Escrow', 'InvalidFeeReceiver', '0x4caf6a34'],
  ['Escrow', 'InvalidCollectorForOperation', '0x5313287d'],
  ['Escrow', 'TokenCollectionFailed', '0x3c73c4a0'],
  ['Escrow', 'PaymentAlreadyCollected', '0xad7c145a'],
  ['Escrow', 'AfterAuthorizationExpiry', '0x36f2d211'],
  ['Escrow', 'InsufficientAuthorization', '0x604b0947'],
  ['Escrow', 'ZeroAuthorization', '0x93bb7a12'],
  ['Escrow', 'BeforeAuthorizationExpiry', '0xaa5674ad'],
  ['Escrow', 'AfterRefundExpiry', '0x94271bde'],
  ['Escrow', 'RefundExceedsCapture', '0x6295d604'],
  ['Escrow', 'Reentrancy', '0xab143c06'],
  ['Escrow', 'PartialVoidExceedsCapturable', '0x3a4366b7'],
  ['Operator', 'InvalidFeeReceiver', '0xd200485c'],
  ['Operator', 'FeeBoundsIncompatible', '0xa465d66c'],
  ['Operator', 'ConditionNotMet', '0x741926a1'],
  ['IdentityRegistry', 'ERC721NonexistentToken', '0x7e273289'],
]

const events: readonly (readonly [ContractName, string, string])[] = [
  ['Escrow', 'PaymentAuthorized', '0x1c81fb2e'],
  ['Escrow', 'PaymentCaptured', '0xe749f7bb'],
  ['Escrow', 'PaymentCharged', '0x943ae434'],
  ['Escrow', 'PaymentVoided', '0xcadce8c3'],
  ['Escrow', 'PaymentPartiallyVoided', '0x8cfa0660'],
  ['Escrow', 'PaymentReclaimed', '0x78e1d723'],
  ['Escrow', 'PaymentRefunded', '0x1bf41537'],
  ['Escrow', 'TokenStoreCreated', '0xd8699a10'],
  ['Operator', 'AuthorizationCreated', '0x25a881a7'],
  ['Operator', 'ChargeExecuted', '0xdb91bd65'],
  ['Operator', 'ReleaseExecuted', '0xef376467'],
  ['Operator', 'RefundInEscrowExecuted', '0x4636fb10'],
  ['Operator', 'RefundPostEscrowExecuted', '0x1459169d'],
  ['Operator', 'FeesDistributed', '0x85da6ab7'],
]

// The signatures that ERC-8004, ERC-721 and EIP-3009 publish in words.
const eventSignatures: readonly (readonly [ContractName, string])[] = [
  ['IdentityRegistry', 'Registered(uint256 indexed agentId, string agentURI, address indexed owner)'],
  [
    'IdentityRegistry',
    'MetadataSet(uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue)',
  ],
  ['IdentityRegistry', 'URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy)'],
  ['IdentityRegistry', 'Transfer(address indexed from, address indexed to, uint256 indexed tokenId)'],
  [
    'ReputationRegistry',
    'NewFeedback(uint256 indexed agentId, address indexed clientAddress, uint64 feedbackIndex, int128 value, uint8 valueDecimals, string indexed indexedTag1, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)',
  ],
  [
    'ReputationRegistry',
    'FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex)',
  ],
  [
    'ReputationRegistry',
    'ResponseAppended(uint256 indexed agentId, address indexed clientAddress, uint64 feedbackIndex, address indexed responder, string responseURI, bytes32 responseHash)',
  ],
  ['TestUSD', 'Transfer(address indexed from, address indexed to, uint256 value)'],
  ['TestUSD', 'AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)'],
  ['TestUSD', 'AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)'],
]

const abi = (name: ContractName): Abi => abiOf(artifacts[name])

function errorSelector(name: ContractName, error: string): string | undefined {
  const item = abi(name).find((entry) => entry.type === 'error' && entry.name === error)
  return item === undefined ? undefined : keccak256(stringToHex(formatAbiItem(item))).slice(0, 10)
}

function shapeOf(input: AbiEvent['inputs'][number]) {
  return { name: input.name, type: input.type, indexed: input.indexed ?? false }
}

describe('the local contracts have the interface of the deployed originals', () => {
  const rows = functions.map(([name, wanted, ...selectors]) => ({ name, wanted, selectors }))
  test.each(rows)('$name.$wanted', ({ name, wanted, selectors }) => {
    const found = abi(name)
      .filter((entry) => entry.type === 'function')
      .filter((entry) => entry.name === wanted)
    expect(found.map((entry) => toFunctionSelector(entry)).sort()).toEqual(selectors.toSorted())
  })

  test.each(errors)('%s reverts with %s', (name, error, selector) => {
    expect(errorSelector(name, error)).toBe(selector)
  })

  test.each(events)('%s logs %s', (name, event, topicPrefix) => {
    const found = abi(name).find((entry): entry is AbiEvent => entry.type === 'event' && entry.name === event)
    expect(found === undefined ? '' : toEventSelector(found).slice(0, 10)).toBe(topicPrefix)
  })

  test.each(eventSignatures)('%s logs %s', (name, signature) => {
    const texts: readonly string[] = [`event ${signature}`]
    const shapesOf = (entries: Abi) =>
      entries
        .filter((entry) => entry.type === 'event')
        .map((entry) => ({ name: entry.name, inputs: entry.inputs.map(shapeOf) }))
    const [published] = shapesOf(parseAbi(texts))
    expect(shapesOf(abi(name))).toContainEqual(published)
  })

  test('RatingDelegate advertises the identifier of its three relays', () => {
    const relays = abi('RatingDelegate')
      .filter((entry) => entry.type === 'function')
      .filter((entry) => entry.name.startsWith('relay'))
    const id = relays.reduce((xor, entry) => xor ^ BigInt(toFunctionSelector(entry)), 0n)
    expect(relays).toHaveLength(3)
    expect(id).toBe(0x378a0c90n)
  })
})

import { paymentInfo } from './payment-info-parameter.ts'

/** The escrow: every call, error and event. */
export const escrowAbi = [
  {
    name: 'authorize',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      paymentInfo,
      { type: 'uint256', name: 'amount' },
      { type: 'address', name: 'tokenCollector' },
      { type: 'bytes', name: 'collectorData' },
    ],
    outputs: [],
  },
  {
    name: 'capture',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      paymentInfo,
      { type: 'uint256', name: 'amount' },
      { type: 'uint16', name: 'feeBps' },
      { type: 'address', name: 'feeReceiver' },
    ],
    outputs: [],
  },
  {
    name: 'charge',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      paymentInfo,
      { type: 'uint256', name: 'amount' },
      { type: 'address', name: 'tokenCollector' },
      { type: 'bytes', name: 'collectorData' },
      { type: 'uint16', name: 'feeBps' },
      { type: 'address', name: 'feeReceiver' },
    ],
    outputs: [],
  },
  { name: 'void', type: 'function', stateMutability: 'nonpayable', inputs: [paymentInfo], outputs: [] },
  {
    name: 'partialVoid',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [paymentInfo, { type: 'uint120', name: 'amount' }],
    outputs: [],
  },
  { name: 'reclaim', type: 'function', stateMutability: 'nonpayable', inputs: [paymentInfo], outputs: [] },
  {
    name: 'refund',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      paymentInfo,
      { type: 'uint256', name: 'amount' },
      { type: 'address', name: 'tokenCollector' },
      { type: 'bytes', name: 'collectorData' },
    ],
    outputs: [],
  },
  { name: 'getHash', type: 'function', stateMutability: 'view', inputs: [paymentInfo], outputs: [{ type: 'bytes32' }] },
  {
    name: 'paymentState',
    type: 'function',
    stateMutability: 'view',
    inputs: [{ type: 'bytes32', name: 'paymentInfoHash' }],
    outputs: [
      { type: 'bool', name: 'hasCollectedPayment' },
      { type: 'uint120', name: 'capturableAmount' },
      { type: 'uint120', name: 'refundableAmount' },
    ],
  },
  {
    name: 'getTokenStore',
    type: 'function',
    stateMutability: 'view',
    inputs: [{ type: 'address', name: 'operator' }],
    outputs: [{ type: 'address' }],
  },
  {
    name: 'tokenStoreImplementation',
    type: 'function',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ type: 'address' }],
  },
  {
    name: 'PAYMENT_INFO_TYPEHASH',
    type: 'function',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ type: 'bytes32' }],
  },
  {
    name: 'PaymentAuthorized',
    type: 'event',
    inputs: [
      { type: 'bytes32', name: 'paymentInfoHash', indexed: true },
      paymentInfo,
      { type: 'uint256', name: 'amount' },
      { type: 'address', name: 'tokenCollector' },
    ],
  },
  {
    name: 'PaymentCaptured',
    type: 'event',
    inputs: [
      { type: 'bytes32', name: 'paymentInfoHash', indexed: true },
      { type: 'uint256', name: 'amount' },
      { type: 'uint16', name: 'feeBps' },
      { type: 'address', name: 'feeReceiver' },
    ],
  },
  {
    name: 'PaymentCharged',
    type: 'event',
    inputs: [
      { type: 'bytes32', name: 'paymentInfoHash', indexed: true },
      paymentInfo,
      { type: 'uint256', name: 'amount' },
      { type: 'address', name: 'tokenCollector' },
      { type: 'uint16', name: 'feeBps' },
      { type: 'address', name: 'feeReceiver' },
    ],
  },
  {
    name: 'PaymentVoided',
    type: 'event',
    inputs: [
      { type: 'bytes32', name: 'paymentInfoHash', indexed: true },
      { type: 'uint256', name: 'amount' },
    ],
  },
  {
    name: 'PaymentPartiallyVoided',
    type: 'event',
    inputs: [
      { type: 'bytes32', name: 'paymentInfoHash', indexed: true },
      { type: 'uint256', name: 'amount' },
      { type: 'uint256', name: 'remaining' },
    ],
  },
  {
    name: 'PaymentReclaimed',
    type: 'event',
    inputs: [
      { type: 'bytes32', name: 'paymentInfoHash', indexed: true },
      { type: 'uint256', name: 'amount' },
    ],
  },
  {
    name: 'PaymentRefunded',
    type: 'event',
    inputs: [
      { type: 'bytes32', name: 'paymentInfoHash', indexed: true },
      { type: 'uint256', name: 'amount' },
      { type: 'address', name: 'tokenCollector' },
    ],
  },
  {
    name: 'TokenStoreCreated',
    type: 'event',
    inputs: [
      { type: 'address', name: 'operator', indexed: true },
      { type: 'address', name: 'tokenStore' },
    ],
  },
  {
    name: 'InvalidSender',
    type: 'error',
    inputs: [
      { type: 'address', name: 'sender' },
      { type: 'address', name: 'expected' },
    ],
  },
  { name: 'ZeroAmount', type: 'error', inputs: [] },
  {
    name: 'AmountOverflow',
    type: 'error',
    inputs: [
      { type: 'uint256', name: 'amount' },
      { type: 'uint256', name: 'limit' },
    ],
  },
  {
    name: 'ExceedsMaxAmount',
    type: 'error',
    inputs: [
      { type: 'uint256', name: 'amount' },
      { type: 'uint256', name: 'maxAmount' },
    ],
  },
  {
    name: 'AfterPreApprovalExpiry',
    type: 'error',
    inputs: [
      { type: 'uint48', name: 'timestamp' },
      { type: 'uint48', name: 'expiry' },
    ],
  },
  {
    name: 'InvalidExpiries',
    type: 'error',
    inputs: [
      { type: 'uint48', name: 'preApproval' },
      { type: 'uint48', name: 'authorization' },
      { type: 'uint48', name: 'refund' },
    ],
  },
  { name: 'FeeBpsOverflow', type: 'error', inputs: [{ type: 'uint16', name: 'feeBps' }] },
  {
    name: 'InvalidFeeBpsRange',
    type: 'error',
    inputs: [
      { type: 'uint16', name: 'minFeeBps' },
      { type: 'uint16', name: 'maxFeeBps' },
    ],
  },
  {
    name: 'FeeBpsOutOfRange',
    type: 'error',
    inputs: [
      { type: 'uint16', name: 'feeBps' },
      { type: 'uint16', name: 'minFeeBps' },
      { type: 'uint16', name: 'maxFeeBps' },
    ],
  },
  { name: 'ZeroFeeReceiver', type: 'error', inputs: [] },
  {
    name: 'InvalidFeeReceiver',
    type: 'error',
    inputs: [
      { type: 'address', name: 'attempted' },
      { type: 'address', name: 'expected' },
    ],
  },
  { name: 'InvalidCollectorForOperation', type: 'error', inputs: [] },
  { name: 'TokenCollectionFailed', type: 'error', inputs: [] },
  { name: 'PaymentAlreadyCollected', type: 'error', inputs: [{ type: 'bytes32', name: 'paymentInfoHash' }] },
  {
    name: 'AfterAuthorizationExpiry',
    type: 'error',
    inputs: [
      { type: 'uint48', name: 'timestamp' },
      { type: 'uint48', name: 'expiry' },
    ],
  },
  {
    name: 'InsufficientAuthorization',
    type: 'error',
    inputs: [
      { type: 'bytes32', name: 'paymentInfoHash' },
      { type: 'uint256', name: 'authorizedAmount' },
      { type: 'uint256', name: 'requestedAmount' },
    ],
  },
  { name: 'ZeroAuthorization', type: 'error', inputs: [{ type: 'bytes32', name: 'paymentInfoHash' }] },
  {
    name: 'BeforeAuthorizationExpiry',
    type: 'error',
    inputs: [
      { type: 'uint48', name: 'timestamp' },
      { type: 'uint48', name: 'expiry' },
    ],
  },
  {
    name: 'AfterRefundExpiry',
    type: 'error',
    inputs: [
      { type: 'uint48', name: 'timestamp' },
      { type: 'uint48', name: 'expiry' },
    ],
  },
  {
    name: 'RefundExceedsCapture',
    type: 'error',
    inputs: [
      { type: 'uint256', name: 'refund' },
      { type: 'uint256', name: 'captured' },
    ],
  },
  { name: 'Reentrancy', type: 'error', inputs: [] },
  {
    name: 'PartialVoidExceedsCapturable',
    type: 'error',
    inputs: [
      { type: 'uint256', name: 'requested' },
      { type: 'uint256', name: 'capturable' },
    ],
  },
] as const

/** The collector that pulls a payer's EIP-3009 authorization into the escrow. */
export const collectorAbi = [
  {
    name: 'collectTokens',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      paymentInfo,
      { type: 'address', name: 'tokenStore' },
      { type: 'uint256', name: 'amount' },
      { type: 'bytes', name: 'collectorData' },
    ],
    outputs: [],
  },
  { name: 'collectorType', type: 'function', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint8' }] },
  { name: 'authCaptureEscrow', type: 'function', stateMutability: 'view', inputs: [], outputs: [{ type: 'address' }] },
  { name: 'OnlyAuthCaptureEscrow', type: 'error', inputs: [] },
  { name: 'TokenTransferFailed', type: 'error', inputs: [{ type: 'address', name: 'token' }] },
] as const

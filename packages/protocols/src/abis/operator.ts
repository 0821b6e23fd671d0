import { paymentInfo } from './payment-info-parameter.ts'

/** The operator as deployed on the eight escrow networks. */
export const operatorLegacyAbi = [
  { name: 'release', type: 'function', stateMutability: 'nonpayable', inputs: [paymentInfo, { type: 'uint256', name: 'amount' }], outputs: [] },
  { name: 'refundInEscrow', type: 'function', stateMutability: 'nonpayable', inputs: [paymentInfo, { type: 'uint120', name: 'amount' }], outputs: [] },
  { name: 'authorize', type: 'function', stateMutability: 'nonpayable', inputs: [paymentInfo, { type: 'uint256', name: 'amount' }, { type: 'address', name: 'tokenCollector' }, { type: 'bytes', name: 'collectorData' }], outputs: [] },
  { name: 'charge', type: 'function', stateMutability: 'nonpayable', inputs: [paymentInfo, { type: 'uint256', name: 'amount' }, { type: 'address', name: 'tokenCollector' }, { type: 'bytes', name: 'collectorData' }], outputs: [] },
  { name: 'refundPostEscrow', type: 'function', stateMutability: 'nonpayable', inputs: [paymentInfo, { type: 'uint256', name: 'amount' }, { type: 'address', name: 'tokenCollector' }, { type: 'bytes', name: 'collectorData' }], outputs: [] },
  { name: 'distributeFees', type: 'function', stateMutability: 'nonpayable', inputs: [{ type: 'address', name: 'token' }], outputs: [] },
  { name: 'authorizedFees', type: 'function', stateMutability: 'view', inputs: [{ type: 'bytes32', name: 'paymentInfoHash' }], outputs: [{ type: 'uint16', name: 'totalFeeBps' }, { type: 'uint16', name: 'protocolFeeBps' }] },
  { name: 'accumulatedProtocolFees', type: 'function', stateMutability: 'view', inputs: [{ type: 'address', name: 'token' }], outputs: [{ type: 'uint256' }] },
  { name: 'ESCROW', type: 'function', stateMutability: 'view', inputs: [], outputs: [{ type: 'address' }] },
  { name: 'FEE_RECIPIENT', type: 'function', stateMutability: 'view', inputs: [], outputs: [{ type: 'address' }] },
  { name: 'FEE_CALCULATOR', type: 'function', stateMutability: 'view', inputs: [], outputs: [{ type: 'address' }] },
  { name: 'PROTOCOL_FEE_CONFIG', type: 'function', stateMutability: 'view', inputs: [], outputs: [{ type: 'address' }] },
  { name: 'InvalidFeeReceiver', type: 'error', inputs: [] },
  { name: 'FeeBoundsIncompatible', type: 'error', inputs: [{ type: 'uint16', name: 'totalFeeBps' }, { type: 'uint16', name: 'minFeeBps' }, { type: 'uint16', name: 'maxFeeBps' }] },
  { name: 'ConditionNotMet', type: 'error', inputs: [] },
  { name: 'AuthorizationCreated', type: 'event', inputs: [{ type: 'bytes32', name: 'paymentInfoHash', indexed: true }, { type: 'address', name: 'payer', indexed: true }, { type: 'address', name: 'receiver', indexed: true }, { type: 'uint256', name: 'amount' }, { type: 'uint256', name: 'timestamp' }] },
  { name: 'ReleaseExecuted', type: 'event', inputs: [paymentInfo, { type: 'uint256', name: 'amount' }, { type: 'uint256', name: 'timestamp' }] },
  { name: 'RefundInEscrowExecuted', type: 'event', inputs: [paymentInfo, { type: 'address', name: 'payer', indexed: true }, { type: 'uint256', name: 'amount' }] },
  { name: 'DepositLimitExceeded', type: 'error', inputs: [{ type: 'uint256', name: 'amount' }, { type: 'uint256', name: 'limit' }] },
  { name: 'FeeTooHigh', type: 'error', inputs: [] },
  { name: 'ForbiddenReceiver', type: 'error', inputs: [{ type: 'address', name: 'receiver' }] },
  { name: 'Reentrancy', type: 'error', inputs: [] },
  { name: 'TokenTransferFailed', type: 'error', inputs: [{ type: 'address', name: 'token' }] },
  { name: 'FeesDistributed', type: 'event', inputs: [{ type: 'address', name: 'token', indexed: true }, { type: 'uint256', name: 'protocolAmount' }, { type: 'uint256', name: 'arbiterAmount' }] },
] as const

/** The operator of the CREATE3 generation: release and refund carry bytes. */
export const operatorCreate3Abi = [
  { name: 'release', type: 'function', stateMutability: 'nonpayable', inputs: [paymentInfo, { type: 'uint256', name: 'amount' }, { type: 'bytes', name: 'data' }], outputs: [] },
  { name: 'refundInEscrow', type: 'function', stateMutability: 'nonpayable', inputs: [paymentInfo, { type: 'uint120', name: 'amount' }, { type: 'bytes', name: 'data' }], outputs: [] },
  { name: 'authorize', type: 'function', stateMutability: 'nonpayable', inputs: [paymentInfo, { type: 'uint256', name: 'amount' }, { type: 'address', name: 'tokenCollector' }, { type: 'bytes', name: 'collectorData' }], outputs: [] },
  { name: 'charge', type: 'function', stateMutability: 'nonpayable', inputs: [paymentInfo, { type: 'uint256', name: 'amount' }, { type: 'address', name: 'tokenCollector' }, { type: 'bytes', name: 'collectorData' }], outputs: [] },
  { name: 'refundPostEscrow', type: 'function', stateMutability: 'nonpayable', inputs: [paymentInfo, { type: 'uint256', name: 'amount' }, { type: 'address', name: 'tokenCollector' }, { type: 'bytes', name: 'collectorData' }], outputs: [] },
  { name: 'distributeFees', type: 'function', stateMutability: 'nonpayable', inputs: [{ type: 'address', name: 'token' }], outputs: [] },
  { name: 'authorizedFees', type: 'function', stateMutability: 'view', inputs: [{ type: 'bytes32', name: 'paymentInfoHash' }], outputs: [{ type: 'uint16', name: 'totalFeeBps' }, { type: 'uint16', name: 'protocolFeeBps' }] },
  { name: 'accumulatedProtocolFees', type: 'function', stateMutability: 'view', inputs: [{ type: 'address', name: 'token' }], outputs: [{ type: 'uint256' }] },
  { name: 'ESCROW', type: 'function', stateMutability: 'view', inputs: [], outputs: [{ type: 'address' }] },
  { name: 'FEE_RECIPIENT', type: 'function', stateMutability: 'view', inputs: [], outputs: [{ type: 'address' }] },
  { name: 'FEE_CALCULATOR', type: 'function', stateMutability: 'view', inputs: [], outputs: [{ type: 'address' }] },
  { name: 'PROTOCOL_FEE_CONFIG', type: 'function', stateMutability: 'view', inputs: [], outputs: [{ type: 'address' }] },
  { name: 'InvalidFeeReceiver', type: 'error', inputs: [] },
  { name: 'FeeBoundsIncompatible', type: 'error', inputs: [{ type: 'uint16', name: 'totalFeeBps' }, { type: 'uint16', name: 'minFeeBps' }, { type: 'uint16', name: 'maxFeeBps' }] },
  { name: 'ConditionNotMet', type: 'error', inputs: [] },
] as const

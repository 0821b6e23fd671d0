export type {
  ModelAnswer,
  ModelDeployment,
  ModelEvent,
  ModelRevert,
  ModelSnapshot,
  PaymentTerms,
  SignatureCheck,
  SignedCancellation,
  SignedTransfer,
} from './chain-model.ts'
export { createContractsModel, type ContractsModel, type ModelCall } from './contracts-model.ts'
export { refundCollectorBytecode } from './refund-collector.ts'
export type { EscrowCall, PaymentState } from './escrow-model.ts'
export type { OperatorCall } from './operator-model.ts'
export type { TokenCall } from './token-model.ts'

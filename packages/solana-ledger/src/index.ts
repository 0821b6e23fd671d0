export { startEmbeddedLedger, type EmbeddedLedger, type EmbeddedOptions } from './embedded/embedded-ledger.ts'
export type { MachineCalls } from './embedded/calls.ts'
export { localKeys, localMint, type LocalKey } from './embedded/local-keys.ts'
export { localProgramHash } from './embedded/local-program.ts'
export { startRpcFront, type RpcFront } from './front/start-front.ts'
export { readMint, readTokenAccount } from './embedded/token-data.ts'
export { TransactionRefused } from './refusal.ts'
export { deliver, type Delivered, type DeliverOptions, type Delivery } from './deliver.ts'
export { checkCluster, clusterGenesis, codeHash, type ClusterName, type ClusterTerms } from './rpc/check-cluster.ts'
export { LedgerUnavailable } from './rpc/nodes.ts'
export {
  createRpcLedger,
  type ClusterAccount,
  type PastTransaction,
  type Trial,
  type RpcLedger,
  type RpcLedgerOptions,
} from './rpc/rpc-ledger.ts'
export type { RecordedInstruction, RecordedTransaction } from './rpc/recorded.ts'

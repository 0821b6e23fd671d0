export { readLog, type ChainLog } from './chain-log.ts'
export {
  createLogSearch,
  type IsAll,
  type Known,
  type LogNode,
  type LogSearch,
  type LogSearchOptions,
} from './log-search.ts'
export { isWrite, NoAnswer, type RpcAnswer, type RpcError, type RpcLimits, type RpcRequest } from './rpc-call.ts'
export { createRpcNodes, type NodesStanding, type RpcNodes, type RpcNodesOptions } from './rpc-nodes.ts'
export { machineTimers, type Timers } from './timers.ts'
export { createStoppedWalks, type StoppedWalks, type Walked } from './stopped-walks.ts'

export { isWrite, NoAnswer, type RpcAnswer, type RpcError, type RpcLimits, type RpcRequest } from './rpc-call.ts'
export { createRpcNodes, type NodesStanding, type RpcNodes, type RpcNodesOptions } from './rpc-nodes.ts'
export { machineTimers, type Timers } from './timers.ts'

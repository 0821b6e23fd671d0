import * as chainRpc from '@ergon/chain-rpc'
import type { ChainLog, LogSearch } from '@ergon/chain-rpc'
import { RpcFault, type Rpc } from './rpc.ts'

export type { ChainLog, IsAll, Known, LogSearch } from '@ergon/chain-rpc'

const fault = (message: string): RpcFault => new RpcFault(message)

/** As of `@ergon/chain-rpc`; throws `RpcFault`. */
export const createLogSearch = (rpc: Rpc): LogSearch => chainRpc.createLogSearch(rpc, { fault })

/** @throws RpcFault */
export const readLog = (value: unknown): ChainLog => chainRpc.readLog(value, fault)

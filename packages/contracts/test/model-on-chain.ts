import { decodeEventLog, encodeErrorResult, encodeFunctionData, type Abi, type Hex, type Log } from 'viem'
import { artifacts, localAddresses } from '../src/index.ts'
import { rpcCall } from '../src/json-rpc.ts'
import type { ModelCall, ModelEvent, ModelRevert } from '../src/testing/index.ts'
import { abiOf, type TestChain } from './chain.ts'
import { receiptOf } from './receipt.ts'

// A call of the model, made on the chain that the model is held against.

const abis: Readonly<Record<ModelCall['to'], Abi>> = {
  escrow: abiOf(artifacts.Escrow),
  operator: abiOf(artifacts.Operator),
  token: abiOf(artifacts.TestUSD),
}
const addresses = { escrow: localAddresses.Escrow, operator: localAddresses.Operator, token: localAddresses.TestUSD }
const gas = '0x1e8480'

export type Carried = { readonly revert: Hex | null; readonly events: readonly ModelEvent[] }

/** Sends the call in a block of this second, whatever becomes of it. */
export async function carryOut(
  chain: TestChain,
  sender: string,
  timestamp: number,
  call: ModelCall,
  withBytes: boolean,
): Promise<Carried> {
  const request = { from: sender, to: addresses[call.to], data: encode(call, withBytes), gas }
  await rpcCall(chain.rpcUrl, 'evm_setNextBlockTimestamp', [timestamp])
  const hash = await rpcCall(chain.rpcUrl, 'eth_sendTransaction', [request])
  const receipt = await receiptOf(chain.reader, hash as Hex) // the node answers a hash
  if (receipt.status === 'success') return { revert: null, events: receipt.logs.flatMap(readEvent) }
  // What reverted changed nothing: asked again in that second it says why.
  return { revert: await reasonOf(chain, request), events: [] }
}

/** The library's own calls hide the bytes of a revert; the node has them beside its message. */
async function reasonOf(chain: TestChain, request: object): Promise<Hex> {
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [request, 'latest'] }),
  })
  const { error } = (await response.json()) as { readonly error?: { readonly data?: Hex } } // the node answers JSON-RPC
  if (error?.data === undefined) throw new Error('a call that reverted in its block does not say why on top of it')
  return error.data
}

function encode(call: ModelCall, withBytes: boolean): Hex {
  const args = argsOf(call)
  const hasVariant = call.to === 'operator' && (call.name === 'release' || call.name === 'refundInEscrow')
  return encodeFunctionData({
    abi: abis[call.to],
    functionName: call.name,
    args: hasVariant && withBytes ? [...args, '0xabcd'] : args,
  })
}

function argsOf(call: ModelCall): readonly unknown[] {
  switch (call.name) {
    case 'authorize':
      return [call.terms, call.amount, call.collector, call.signature]
    case 'charge':
      return call.to === 'operator'
        ? [call.terms, call.amount, call.collector, call.signature]
        : [call.terms, call.amount, call.collector, call.signature, call.feeBps, call.feeReceiver]
    case 'release':
    case 'refundInEscrow':
    case 'partialVoid':
      return [call.terms, call.amount]
    case 'capture':
      return [call.terms, call.amount, call.feeBps, call.feeReceiver]
    case 'void':
    case 'reclaim':
      return [call.terms]
    case 'refund':
    case 'refundPostEscrow':
      return [call.terms, call.amount, call.collector, '0x']
    case 'distributeFees':
      return [call.token]
    case 'transfer':
      return [call.recipient, call.value]
    case 'cancelAuthorization':
      return [call.authorizer, call.nonce, call.signature]
    case 'transferWithAuthorization':
    case 'receiveWithAuthorization':
      return [call.from, call.recipient, call.value, call.validAfter, call.validBefore, call.nonce, call.signature]
  }
}

const errors = [...abis.escrow, ...abis.operator].filter((entry) => entry.type === 'error')

/**
 * The bytes that a revert of the model has on the chain. Two contracts have an error InvalidFeeReceiver: its arguments
 * tell them apart.
 */
export function revertData({ error, args }: ModelRevert): Hex {
  if (error === 'Error')
    return encodeErrorResult({
      abi: [{ type: 'error', name: 'Error', inputs: [{ name: 'text', type: 'string' }] }],
      errorName: 'Error',
      args: [String(args[0])],
    })
  const abi = errors.filter((entry) => entry.name === error && entry.inputs.length === args.length)
  return encodeErrorResult({ abi, errorName: error, args: [...args] })
}

function readEvent(log: Log): ModelEvent[] {
  const known = (Object.keys(addresses) as ModelCall['to'][]).find(
    (name) => addresses[name].toLowerCase() === log.address.toLowerCase(),
  ) // the keys of a literal
  if (known === undefined) return []
  const { eventName, args } = decodeEventLog({ abi: abis[known], data: log.data, topics: log.topics })
  // Every event of ours names its arguments.
  const { paymentInfo: _, ...rest } = args as unknown as Readonly<Record<string, string | bigint | number>>
  return [{ contract: known, name: eventName ?? '', args: rest }]
}

/** Events as text: numbers of any width read the same, addresses in any case. */
export function textOf(events: readonly ModelEvent[]): string {
  return events
    .map(
      ({ contract, name, args }) =>
        `${contract}.${name} ${Object.keys(args)
          .sort()
          .map((key) => `${key}=${String(args[key]).toLowerCase()}`)
          .join(' ')}`,
    )
    .join('\n')
}

import { MarketError } from '@ergon/core'
import {
  type Address,
  bytesToHex,
  type Hex,
  isValidSignatureCalldata,
  keccak256Hex,
  lowerAddress,
} from '@ergon/protocols'
import { createBoundedCache } from '../surroundings/bounded-cache.ts'
import { createLane, type Lane } from './chain/lane.ts'
import { RpcFault, type Rpc, type RpcError } from './chain/rpc.ts'
import type { ServedNetworks } from './networks.ts'

export type ContractSignature = {
  readonly chainId: number
  readonly address: Address
  readonly hash: Uint8Array
  readonly signature: Uint8Array
}

/** `nobody`: no contract is at the address. */
export type ContractsWord = 'signed' | 'not-signed' | 'nobody'

/**
 * Asks a wallet that is a contract whether it signed (ERC-1271). Both throw identity_check_unavailable where nobody
 * could be asked, RATE_LIMITED past the chain's budget.
 */
export type ContractWallets = {
  /** False is the wallet's own word, or that nothing stands at the address, which is remembered for a minute. */
  isValidSignature(call: ContractSignature): Promise<boolean>
  /** As the chain has it now: a wallet may be put up with what it pays. */
  ask(call: ContractSignature): Promise<ContractsWord>
}

// Enough for a P-256 check without precompile, or a wallet of many owners; a loop that burns it costs the node
// milliseconds.
const gasCap = '0xf4240'
const limits = { timeoutMs: 1_500, maxBytes: 4_096 }
const maxRunning = 16
const maxWaiting = 64
const noCodeMs = 60_000
const resultMs = 30_000
const maxEntries = 10_000

export function createContractWallets(networks: ServedNetworks): ContractWallets {
  const lanes = new Map<number, Lane>(networks.all.map(({ chainId }) => [chainId, createLane(maxRunning, maxWaiting)]))
  const noCode = createBoundedCache<true>(maxEntries, noCodeMs)
  const results = createBoundedCache<Promise<ContractsWord>>(maxEntries, resultMs)
  const askOnce = async (call: ContractSignature): Promise<ContractsWord> => {
    const network = networks.withChainId(call.chainId)
    const lane = lanes.get(call.chainId)
    if (network === undefined || lane === undefined) return 'not-signed'
    // The hash is unique to its request, so an answer kept for it serves repeats of that request alone.
    const key = `${accountOf(call)}:${bytesToHex(call.hash)}:${keccak256Hex(call.signature)}`
    const known = results.get(key)
    if (known !== undefined) return known
    const asking = lane.run(() => ask(network.rpc, call))
    results.set(key, asking)
    const forget = (): void => {
      results.delete(key)
    }
    // What could not be asked is not remembered, nor here that nobody was there.
    asking.then((word) => {
      if (word === 'nobody') forget()
    }, forget)
    return asking
  }
  return {
    ask: askOnce,
    async isValidSignature(call) {
      if (noCode.get(accountOf(call)) === true) return false
      const word = await askOnce(call)
      if (word === 'nobody') noCode.set(accountOf(call), true)
      return word === 'signed'
    },
  }
}

const accountOf = ({ chainId, address }: ContractSignature): string => `${String(chainId)}:${lowerAddress(address)}`

async function ask(rpc: Rpc, { address, hash, signature }: ContractSignature): Promise<ContractsWord> {
  const data: Hex = isValidSignatureCalldata(bytesToHex(hash), bytesToHex(signature))
  try {
    const [answer] = await rpc.batch(
      [{ method: 'eth_call', params: [{ to: address, data, gas: gasCap }, 'latest'] }],
      limits,
    )
    if (answer?.error !== undefined) return judgeError(answer.error)
    const { result } = answer ?? {}
    // A call to an address without code succeeds and answers nothing.
    if (result === '0x') return 'nobody'
    return typeof result === 'string' && result.length >= 66 && result.startsWith('0x1626ba7e')
      ? 'signed'
      : 'not-signed'
  } catch (cause) {
    if (!(cause instanceof RpcFault)) throw cause
    if (cause.isTooLarge) return 'not-signed'
    throw new MarketError('identity_check_unavailable', {}, { cause })
  }
}

/** The contract's own failure is a verdict; the node's is none. */
function judgeError(error: RpcError): ContractsWord {
  if (error.code === 3 || /revert|out ?of ?gas|gas required|opcode|stack|jump|EVM error/i.test(error.message))
    return 'not-signed'
  throw new MarketError('identity_check_unavailable', {}, { cause: error })
}

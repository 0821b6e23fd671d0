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
import { putUpAndAsk } from './put-up-and-ask.ts'

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
  /** False is the wallet's own word, or that there is nothing at the address, which is remembered for a minute. */
  isValidSignature(call: ContractSignature): Promise<boolean>
  /** As the chain has it now: a wallet may be put up with what it pays. */
  ask(call: ContractSignature): Promise<ContractsWord>
  /** What the wallet would say once this call of its factory has put it up; nothing is sent (ERC-6492). */
  askPutUp(call: ContractSignature & PutUp): Promise<'signed' | 'not-signed'>
}

/** Who puts a wallet up, and what it is asked for that. Whether it may be called is for the caller to know. */
type PutUp = { readonly factory: Address; readonly call: Hex }

// Enough for a P-256 check without precompile, or a wallet of many owners; a loop that burns it costs the node
// milliseconds.
const gasCap = '0xf4240'
// To put a wallet up as well; more than a lock may cost that does it (decision 0114).
const putUpGasCap = '0x2dc6c0'
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
    async askPutUp(call) {
      const network = networks.withChainId(call.chainId)
      const lane = lanes.get(call.chainId)
      return network === undefined || lane === undefined ? 'not-signed' : lane.run(() => askPutUp(network.rpc, call))
    },
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
  const data = isValidSignatureCalldata(bytesToHex(hash), bytesToHex(signature))
  const answer = await simulate(rpc, { to: address, data, gas: gasCap })
  // A call to an address without code succeeds and answers nothing.
  if (answer === '0x') return 'nobody'
  return answer.length >= 66 && answer.startsWith('0x1626ba7e') ? 'signed' : 'not-signed'
}

async function askPutUp(rpc: Rpc, given: ContractSignature & PutUp): Promise<'signed' | 'not-signed'> {
  const { address, factory, call, hash, signature } = given
  const data = putUpAndAsk({ address, factory, call, digest: bytesToHex(hash), signature: bytesToHex(signature) })
  const answer = await simulate(rpc, { data, gas: putUpGasCap })
  return answer === `0x${'1'.padStart(64, '0')}` ? 'signed' : 'not-signed'
}

/** What a call answers; a word that is no yes where it fails by its own fault. @throws identity_check_unavailable */
async function simulate(rpc: Rpc, call: Readonly<Record<string, string>>): Promise<string> {
  try {
    const [answer] = await rpc.batch([{ method: 'eth_call', params: [call, 'latest'] }], limits)
    if (answer?.error !== undefined) return judgeError(answer.error)
    const { result } = answer ?? {}
    return typeof result === 'string' ? result : refused
  } catch (cause) {
    if (!(cause instanceof RpcFault)) throw cause
    if (cause.isTooLarge) return refused
    throw new MarketError('identity_check_unavailable', {}, { cause })
  }
}

const refused = '0x00'

/** The contract's own failure is a verdict; the node's is none. */
function judgeError(error: RpcError): string {
  if (error.code === 3 || /revert|out ?of ?gas|gas required|opcode|stack|jump|EVM error/i.test(error.message))
    return refused
  throw new MarketError('identity_check_unavailable', {}, { cause: error })
}

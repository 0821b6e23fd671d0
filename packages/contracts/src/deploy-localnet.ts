import { word } from './abi-words.ts'
import type { ContractName } from './artifacts.ts'
import { rpcRead } from './json-rpc.ts'
import { localRoles } from './local-accounts.ts'
import { sendLocalTransactions } from './local-transaction.ts'
import { deploymentSteps, localAddresses, localChainId, platformAgentId } from './localnet.ts'

/** The local chain's contracts, by name, and the platform's own agent. */
export type Localnet = {
  readonly addresses: typeof localAddresses
  readonly platformAgentId: bigint
}

/** Enough for the largest of the steps; the first seven together stay under an ordinary block's limit. */
const stepGas = 4_000_000
/** The node mines this many steps in one block of 30,000,000 gas. */
const stepsPerRound = 7

// In the order of creation: the place of a name is the nonce that created it.
const contractNames = Object.keys(localAddresses) as readonly ContractName[]

type LocalState = {
  readonly missing: readonly ContractName[]
  readonly nextNonce: number
  readonly platformOwner: string
}

async function readState(rpcUrl: string): Promise<LocalState> {
  const ownerOf = { to: localAddresses.IdentityRegistry, data: `0x6352211e${word(platformAgentId)}` }
  const [chainId, count, ...codes] = await rpcRead(rpcUrl, [
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getTransactionCount', params: [localRoles.deployer.address, 'latest'] },
    ...contractNames.map((name) => ({ method: 'eth_getCode', params: [localAddresses[name], 'latest'] })),
  ])
  if (Number(chainId) !== localChainId) {
    throw new Error(
      `The node's chain id is ${Number(chainId)}: the public development keys work on ${localChainId} only.`,
    )
  }
  const nextNonce = Number(count)
  const missing = contractNames.filter((_, i) => codes[i] === '0x')
  const isDeployed = missing.length === 0 && nextNonce >= deploymentSteps().length
  const [owner] = isDeployed ? await rpcRead(rpcUrl, [{ method: 'eth_call', params: [ownerOf, 'latest'] }]) : ['0x']
  return { missing, nextNonce, platformOwner: `0x${String(owner).slice(-40)}` }
}

/** Takes the steps that a chain with this many of the deployer's transactions still lacks. */
async function deploy(rpcUrl: string, nextNonce: number): Promise<void> {
  const steps = deploymentSteps()
  for (let first = nextNonce; first < steps.length; first += stepsPerRound) {
    const round = steps.slice(first, first + stepsPerRound).map((step, i) => ({
      from: localRoles.deployer.address,
      ...(step.to === undefined ? {} : { to: step.to }),
      data: step.data,
      gas: stepGas,
      nonce: first + i,
    }))
    await sendLocalTransactions(rpcUrl, round)
  }
}

/**
 * Puts the contracts and the platform's agent on a local chain, or does nothing where they are. A deployment that was
 * interrupted is continued. Throws when the chain is not the local one or its deployer's nonces went elsewhere.
 */
export async function deployLocalnet(rpcUrl: string): Promise<Localnet> {
  let state = await readState(rpcUrl)
  const steps = deploymentSteps()
  const lost = state.missing.find((name) => contractNames.indexOf(name) < state.nextNonce)
  if (lost !== undefined) {
    throw new Error(
      `${lost} is not at ${localAddresses[lost]}, though the deployer's nonce passed it. Start a fresh chain.`,
    )
  }
  if (state.nextNonce < steps.length) {
    await deploy(rpcUrl, state.nextNonce)
    state = await readState(rpcUrl)
  }
  if (state.missing.length > 0) throw new Error(`No code on the local chain: ${state.missing.join(', ')}.`)
  if (state.platformOwner !== localRoles.service.address.toLowerCase()) {
    throw new Error(
      `Agent ${platformAgentId} belongs to ${state.platformOwner}, not to the service. Start a fresh chain.`,
    )
  }
  return { addresses: localAddresses, platformAgentId }
}

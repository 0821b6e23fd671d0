import { type Address, addressTopic, eventTopic, identityRegistryAbi, reputationRegistryAbi } from '@ergon/protocols'
import { Refusal } from '../errors.ts'
import type { Networks } from '../network/served-network.ts'
import { isSettled } from './agent-holders.ts'
import { readContract } from './contract-calls.ts'
import type { RegistryTarget } from './network.ts'
import { readAgentId, readRegistryTarget } from './network.ts'
import { malformed, readAddress, readText } from '../wire/read.ts'

const zero = `0x${'0'.repeat(40)}`

export async function readIdentity(networkName: string, id: string, networks: Networks): Promise<object> {
  const target = readRegistryTarget(networkName, networks)
  const agentId = readAgentId(id, 'agentId')
  const read = (functionName: string): Promise<unknown> => readIdentityRegistry(target, functionName, [agentId])
  const [owner, agentUri, wallet, settled] = await Promise.all([
    ...(['ownerOf', 'tokenURI', 'getAgentWallet'] as const).map(read),
    isSettled(target, agentId),
  ])
  return {
    agentId: agentId.toString(),
    owner,
    agentUri,
    ...(wallet === zero ? {} : { agentWallet: wallet }),
    network: target.name,
    settled,
  }
}

export async function readMetadata(networkName: string, id: string, key: string, networks: Networks): Promise<object> {
  const target = readRegistryTarget(networkName, networks)
  const agentId = readAgentId(id, 'agentId')
  const value = await readIdentityRegistry(target, 'getMetadata', [agentId, readText(key, 'key', 128)])
  return { agentId: agentId.toString(), key, value, network: target.name }
}

/** The registry has no reverse lookup: agents come from its transfer log, and each is asked for its present owner. */
export async function readOwned(networkName: string, address: string, networks: Networks): Promise<object> {
  const target = readRegistryTarget(networkName, networks)
  const owner = readAddress(address, 'address')
  const ids = await transferredIds(target, [eventTopic('Transfer'), null, addressTopic(owner)])
  const owners = await Promise.all(ids.map((id) => readIdentityRegistry(target, 'ownerOf', [id])))
  const agentIds = ids.filter((_, index) => String(owners[index]).toLowerCase() === owner).map(String)
  return { owner, agentIds, count: agentIds.length, network: target.name }
}

export async function readTotalSupply(networkName: string, networks: Networks): Promise<object> {
  const target = readRegistryTarget(networkName, networks)
  const ids = await transferredIds(target, [eventTopic('Transfer'), `0x${'0'.repeat(64)}`])
  return { totalSupply: ids.length.toString(), network: target.name }
}

export type ReputationQuery = {
  readonly includeFeedback?: string
  readonly clientAddresses?: string
  readonly tag1?: string
  readonly tag2?: string
}

export async function readReputation(
  networkName: string,
  id: string,
  query: ReputationQuery,
  networks: Networks,
): Promise<object> {
  const target = readRegistryTarget(networkName, networks)
  const agentId = readAgentId(id, 'agentId')
  const tags = [readText(query.tag1 ?? '', 'tag1', 128), readText(query.tag2 ?? '', 'tag2', 128)] as const
  const { reputation } = target.registries
  const read = (functionName: string, args: readonly unknown[]): Promise<unknown> =>
    readContract(target.network.rpc, reputation, { abi: reputationRegistryAbi, functionName, args }, notFound)
  const clients =
    query.clientAddresses === undefined || query.clientAddresses === ''
      ? // The ABI types the result.
        ((await read('getClients', [agentId])) as readonly Address[])
      : readClients(query.clientAddresses)
  // The registry refuses an empty list of clients; nobody rated means a summary of nothing.
  const [count, value, decimals] =
    clients.length === 0
      ? [0n, 0n, 0]
      : ((await read('getSummary', [agentId, clients, ...tags])) as [bigint, bigint, number])
  const feedback =
    query.includeFeedback !== 'true'
      ? {}
      : {
          feedback:
            clients.length === 0
              ? []
              : listOf((await read('readAllFeedback', [agentId, clients, ...tags, true])) as FeedbackColumns),
        }
  return {
    agentId: agentId.toString(),
    summary: {
      agentId: agentId.toString(),
      count: Number(count),
      summaryValue: value.toString(),
      summaryValueDecimals: decimals,
      network: target.name,
    },
    ...feedback,
    network: target.name,
  }
}

type FeedbackColumns = readonly [
  readonly Address[],
  readonly bigint[],
  readonly bigint[],
  readonly number[],
  readonly string[],
  readonly string[],
  readonly boolean[],
]

function listOf([clients, indexes, values, decimals, tag1s, tag2s, revoked]: FeedbackColumns): object[] {
  return clients.map((client, i) => ({
    client,
    feedbackIndex: Number(indexes[i]),
    value: String(values[i]),
    valueDecimals: decimals[i],
    tag1: tag1s[i],
    tag2: tag2s[i],
    isRevoked: revoked[i],
  }))
}

function readClients(value: string): Address[] {
  const entries = value.split(',')
  if (entries.length > 100) throw malformed('clientAddresses', 'at most 100 addresses')
  return entries.map((entry) => readAddress(entry.trim(), 'clientAddresses'))
}

function readIdentityRegistry(
  target: RegistryTarget,
  functionName: string,
  args: readonly unknown[],
): Promise<unknown> {
  return readContract(
    target.network.rpc,
    target.registries.identity,
    { abi: identityRegistryAbi, functionName, args },
    notFound,
  )
}

async function transferredIds(target: RegistryTarget, topics: readonly (string | null)[]): Promise<bigint[]> {
  const logs = await target.network.rpc.call('eth_getLogs', [
    { address: target.registries.identity, fromBlock: '0x0', toBlock: 'latest', topics },
  ])
  const ids = new Set<bigint>()
  for (const log of Array.isArray(logs) ? (logs as { topics?: unknown[] }[]) : []) {
    const id = log.topics?.[3]
    if (typeof id === 'string') ids.add(BigInt(id))
  }
  return [...ids]
}

function notFound(reason: string): Refusal {
  return new Refusal('agent_not_found', `no such agent: ${reason}`, { status: 404 })
}

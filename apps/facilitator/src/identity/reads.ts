import { type Address, identityRegistryAbi, reputationRegistryAbi } from '@ergon/protocols'
import { Refusal } from '../errors.ts'
import type { Networks } from '../network/served-network.ts'
import { isSettled } from './agent-holders.ts'
import { askContract, readContract } from './contract-calls.ts'
import { readAgentId, readRegistryTarget, type RegistryTarget } from './network.ts'
import type { OwnedAgents } from './owned-agents.ts'
import { malformed, readAddress, readText } from '../wire/read.ts'

const zero = `0x${'0'.repeat(40)}`

export async function readIdentity(networkName: string, id: string, networks: Networks): Promise<object> {
  const target = readRegistryTarget(networkName, networks)
  const agentId = readAgentId(id, 'agentId')
  const names = ['ownerOf', 'tokenURI', 'getAgentWallet']
  const [[owner, agentUri, wallet], settled] = await Promise.all([
    readIdentityRegistry(target, names, [agentId]),
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
  const [value] = await readIdentityRegistry(target, ['getMetadata'], [agentId, readText(key, 'key', 128)])
  return { agentId: agentId.toString(), key, value, network: target.name }
}

/** At most the hundred lowest, and how many there are. */
export async function readOwned(
  networkName: string,
  address: string,
  networks: Networks,
  owned: OwnedAgents,
): Promise<object> {
  const target = readRegistryTarget(networkName, networks)
  const owner = readAddress(address, 'address')
  const { ids, count } = await owned.of(target, owner)
  return { owner, agentIds: ids.map(String), count, network: target.name }
}

/** Ids count up from zero, and none is taken back (facts §4): the first that is not there is how many there are. */
export async function readTotalSupply(networkName: string, networks: Networks): Promise<object> {
  const target = readRegistryTarget(networkName, networks)
  const powers = Array.from({ length: 48 }, (_, power) => 2 ** power - 1)
  let [there, gone] = [-1, powers.at(-1) ?? 0]
  for (let probes = powers; gone - there > 1; probes = between(there, gone)) {
    const answers = await askRegistry(target, probes)
    const first = answers.findIndex(({ revert }) => revert !== undefined)
    const last = first === -1 ? probes.length : first
    there = probes[last - 1] ?? there
    gone = probes[last] ?? gone
  }
  return { totalSupply: String(gone), network: target.name }
}

/** Sixteen places that part what lies between two, or fewer where there are fewer. */
function between(low: number, high: number): number[] {
  const parts = Math.min(16, high - low - 1)
  return Array.from({ length: parts }, (_, part) => low + Math.ceil(((part + 1) * (high - low)) / (parts + 1)))
}

const askRegistry = ({ network, registries }: RegistryTarget, ids: readonly number[]) =>
  askContract(
    network.rpc,
    registries.identity,
    ids.map((id) => ({ abi: identityRegistryAbi, functionName: 'ownerOf', args: [BigInt(id)] })),
  )

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
  const read = async (functionName: string, args: readonly unknown[]): Promise<unknown> =>
    (
      await readContract(target.network.rpc, reputation, [{ abi: reputationRegistryAbi, functionName, args }], notFound)
    )[0]
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
  { network, registries }: RegistryTarget,
  names: readonly string[],
  args: readonly unknown[],
): Promise<readonly unknown[]> {
  const calls = names.map((functionName) => ({ abi: identityRegistryAbi, functionName, args }))
  return readContract(network.rpc, registries.identity, calls, notFound)
}

function notFound(reason: string): Refusal {
  return new Refusal('agent_not_found', `no such agent: ${reason}`, { status: 404 })
}

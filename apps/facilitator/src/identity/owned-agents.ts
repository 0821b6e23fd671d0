import { createLogSearch, NoAnswer, type ChainLog, type IsAll, type LogNode, type LogSearch } from '@ergon/chain-rpc'
import { type Address, addressTopic, eventTopic, identityRegistryAbi } from '@ergon/protocols'
import { Unavailable } from '../errors.ts'
import type { ServedNetwork } from '../network/served-network.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { askContract, readContract } from './contract-calls.ts'
import type { RegistryTarget } from './network.ts'

/** What one wallet owns; whoever is sent more by strangers is told the lowest of so many. */
const [mostListed, mostAsked] = [100, 1_000]
/** Owners asked for in one request. */
const together = 100
/** Of logs in one answer; where there are more, narrower ranges are asked for. */
const maxBytes = 4 * 1024 * 1024
/** Searches of logs at a time in all, and how long whoever asks waits for one; it goes on by itself. */
const mostSearches = 2
const patienceMs = 4_000

export type Owned = { readonly ids: readonly bigint[]; readonly count: number }

export type OwnedAgents = {
  /**
   * Whose agents these are now: the lowest ids, ascending, and how many there are.
   * @throws Unavailable while the log of the registry is being searched, or cannot be
   */
  of(target: RegistryTarget, owner: Address): Promise<Owned>
}

/**
 * The registry has no reverse lookup (facts §4). It tells how many agents a wallet owns: who owns none, as nearly all
 * who are new, is known by one call. Which they are is in its transfer log, read back from the newest block until as
 * many are found, in ranges as the node answers them (decision 0350).
 */
export function createOwnedAgents(surroundings: Pick<Surroundings, 'after'>): OwnedAgents {
  const searches = new WeakMap<ServedNetwork, LogSearch>()
  const underWay = new Map<string, Promise<Owned>>()
  const searchOf = ({ network }: RegistryTarget): LogSearch => {
    const made = searches.get(network) ?? createLogSearch(nodeOf(network), { fault: notNow, keepsEnded: true })
    searches.set(network, made)
    return made
  }
  return {
    async of(target, owner) {
      const count = await balanceOf(target, owner)
      if (count === 0n) return { ids: [], count: 0 }
      const key = `${target.network.chainId} ${owner}`
      const running = underWay.get(key)
      if (running === undefined && underWay.size >= mostSearches) throw notNow('other searches are under way')
      const search = running ?? find(searchOf(target), target, owner, count).finally(() => underWay.delete(key))
      underWay.set(key, search)
      return withPatience(surroundings, search)
    },
  }
}

function nodeOf({ rpc }: ServedNetwork): LogNode {
  return {
    batch: (calls) =>
      rpc.batch(calls, { maxBytes }).catch((error: unknown) => {
        if (!(error instanceof Unavailable && error.cause instanceof NoAnswer && error.cause.isTooLarge)) throw error
        return calls.map(() => ({ error: { code: -32_005, message: 'the answer is too large' } }))
      }),
    read: (method, params) => rpc.call(method, params),
  }
}

async function balanceOf({ network, registries }: RegistryTarget, owner: Address): Promise<bigint> {
  const call = { abi: identityRegistryAbi, functionName: 'balanceOf', args: [owner] }
  const [count] = await readContract(network.rpc, registries.identity, [call])
  return BigInt(String(count))
}

async function find(search: LogSearch, target: RegistryTarget, owner: Address, count: bigint): Promise<Owned> {
  const expected = {
    emitter: target.registries.identity,
    events: [eventTopic('Transfer')],
    indexed: [null, addressTopic(owner)],
  }
  const asked = new Map<bigint, boolean>()
  const owned = (): bigint[] => [...asked].flatMap(([id, isOwned]) => (isOwned ? [id] : []))
  const isAll: IsAll = async (found) => {
    await askOwners(target, owner, idsIn(found), asked)
    return owned().length >= count || asked.size >= mostAsked
  }
  await isAll(await search.all(expected, isAll), [])
  const ids = owned().toSorted((one, other) => (one < other ? -1 : 1))
  if (ids.length === 0) throw notNow('the log does not show yet which agents the wallet owns')
  return { ids: ids.slice(0, mostListed), count: asked.size >= mostAsked ? Number(count) : ids.length }
}

/** Asks whose the agents are that were not asked about, the lowest first. */
async function askOwners(
  { network, registries }: RegistryTarget,
  owner: Address,
  ids: readonly bigint[],
  asked: Map<bigint, boolean>,
): Promise<void> {
  const left = ids.filter((id) => !asked.has(id)).slice(0, mostAsked - asked.size)
  for (let from = 0; from < left.length; from += together) {
    const some = left.slice(from, from + together)
    const calls = some.map((id) => ({ abi: identityRegistryAbi, functionName: 'ownerOf', args: [id] }))
    const answers = await askContract(network.rpc, registries.identity, calls)
    for (const [index, id] of some.entries())
      asked.set(id, String(answers[index]?.value).toLowerCase() === owner.toLowerCase())
  }
}

function idsIn(logs: readonly ChainLog[]): readonly bigint[] {
  const ids = new Set(logs.flatMap(({ topics: [, , , id] }) => (id === undefined ? [] : [BigInt(id)])))
  return [...ids].toSorted((one, other) => (one < other ? -1 : 1))
}

/** Whoever asked is told to come again; the search goes on, and what it found is remembered. */
function withPatience<T>(surroundings: Pick<Surroundings, 'after'>, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = surroundings.after(patienceMs, () => {
      reject(notNow('the log of the registry is being searched'))
    })
    work.then(resolve, reject).finally(cancel)
  })
}

function notNow(message: string): Unavailable {
  return new Unavailable('rpc_unavailable', message, { details: { broadcast: false } })
}

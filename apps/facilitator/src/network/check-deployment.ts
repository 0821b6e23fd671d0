import { type Address, decimalsCalldata, feeRecipientCalldata, type Network, otherDecimals } from '@ergon/protocols'
import type { RpcClient } from '../chain/rpc-client.ts'
import { StartupError, Unavailable } from '../errors.ts'

export type Deployment = { readonly onDemand: boolean; readonly feeRecipient: Address | undefined }

/**
 * Proves that the row describes this chain. A call to an address without code succeeds and does nothing, so a wrong
 * address would look like success at every later step (facts §8.2).
 */
export async function checkDeployment(rpc: RpcClient, row: Network): Promise<Deployment> {
  const [chainId, version] = await rpc.batch([
    { method: 'eth_chainId', params: [] },
    { method: 'web3_clientVersion', params: [] },
  ])
  if (chainId?.error !== undefined)
    throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read', { cause: chainId.error })
  if (Number(chainId?.result) !== row.chainId)
    throw new StartupError(
      `the node of ${row.name} is on chain ${String(Number(chainId?.result))}, not ${String(row.chainId)}`,
    )
  const contracts = configured(row)
  const codes = await rpc.batch(
    contracts.map(([, address]) => ({ method: 'eth_getCode', params: [address, 'latest'] })),
  )
  const unread = codes.find(({ error }) => error !== undefined)
  if (unread !== undefined)
    throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read', { cause: unread.error })
  const missing = contracts
    .filter((_, index) => !hasCode(codes[index]?.result))
    .map(([what, address]) => `${what} ${address}`)
  if (missing.length > 0) throw new StartupError(`no code on ${row.name} at: ${missing.join(', ')}`)
  await checkDecimals(rpc, row)
  if (row.escrow !== undefined)
    checkGeneration(row, row.escrow, codes[contracts.findIndex(([what]) => what === 'operator')]?.result)
  const feeRecipient = row.escrow === undefined ? undefined : await checkOperator(rpc, row.name, row.escrow)
  if (row.erc8004 !== undefined) await checkRegistries(rpc, row.name, row.erc8004)
  return { onDemand: typeof version?.result === 'string' && /^anvil/i.test(version.result), feeRecipient }
}

function configured(row: Network): (readonly [string, string])[] {
  const { escrow, erc8004 } = row
  return [
    ...Object.values(row.tokens).map((token) => [`token ${token.symbol}`, token.address] as const),
    ...(escrow === undefined
      ? []
      : ([
          ['escrow', escrow.escrow],
          ['token collector', escrow.collector],
          ['operator', escrow.operator],
        ] as const)),
    ...(erc8004 === undefined
      ? []
      : ([
          ['identity registry', erc8004.identity],
          ['reputation registry', erc8004.reputation],
        ] as const)),
    ...(erc8004?.ratingDelegate === undefined ? [] : ([['rating delegate', erc8004.ratingDelegate]] as const)),
  ]
}

async function checkDecimals(rpc: RpcClient, { name, tokens }: Network): Promise<void> {
  const served = Object.values(tokens)
  const calls = served.map(({ address }) => ({ to: address, data: decimalsCalldata() }))
  const answers = await rpc.batch(calls.map((call) => ({ method: 'eth_call', params: [call, 'latest'] })))
  // A contract that refuses the call answers so; whatever else a node refuses says nothing of the contract.
  const unread = answers.find(({ error }) => error !== undefined && !/revert/i.test(error.message))
  if (unread !== undefined)
    throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read', { cause: unread.error })
  for (const [index, token] of served.entries()) {
    const fault = otherDecimals(token, answers[index]?.result)
    if (fault !== undefined) throw new StartupError(`${fault}: change the row of ${name}`)
  }
}

/** Each generation of operators has functions of its own; a call of the other's would only ever revert. */
const generations: Readonly<Record<'legacy' | 'create3', readonly string[]>> = {
  legacy: ['63ecf39b0a', '63e2b8996f'],
  create3: ['63c602dd4a', '634e04eaa0'],
}

/** By its code, which compares selectors. What compares none of these may pass calls on, and is not judged. */
function checkGeneration(row: Network, { operator, operatorAbi }: NonNullable<Network['escrow']>, code: unknown): void {
  const text = String(code).toLowerCase()
  const has = (abi: 'legacy' | 'create3'): boolean => generations[abi].every((selector) => text.includes(selector))
  const other = operatorAbi === 'legacy' ? 'create3' : 'legacy'
  if (!has(operatorAbi) && has(other))
    throw new StartupError(`the operator ${operator} of ${row.name} is of the generation ${other}, not ${operatorAbi}`)
}

async function checkOperator(rpc: RpcClient, name: string, escrow: NonNullable<Network['escrow']>): Promise<Address> {
  const of = await readAddress(rpc, escrow.operator, '0xe681c4aa')
  if (of !== escrow.escrow.toLowerCase())
    throw new StartupError(`the operator of ${name} serves escrow ${of}, not ${escrow.escrow}`)
  return readAddress(rpc, escrow.operator, feeRecipientCalldata())
}

async function checkRegistries(
  rpc: RpcClient,
  name: string,
  registries: NonNullable<Network['erc8004']>,
): Promise<void> {
  const identity = await readAddress(rpc, registries.reputation, '0xbc4d861b')
  if (identity !== registries.identity.toLowerCase())
    throw new StartupError(`the reputation registry of ${name} uses identity registry ${identity}`)
  if (registries.ratingDelegate === undefined) return
  const reputation = await readAddress(rpc, registries.ratingDelegate, reputationRegistryOfDelegate)
  if (reputation !== registries.reputation.toLowerCase())
    throw new StartupError(`the rating delegate of ${name} writes to ${reputation}, not to ${registries.reputation}`)
}

/** REPUTATION_REGISTRY() */
const reputationRegistryOfDelegate = '0xf8ff0c92'

async function readAddress(rpc: RpcClient, to: string, selector: string): Promise<Address> {
  const result = await rpc.call('eth_call', [{ to, data: selector }, 'latest'])
  return `0x${typeof result === 'string' ? result.slice(26, 66).toLowerCase() : ''}`
}

function hasCode(code: unknown): boolean {
  return typeof code === 'string' && code.length > 2
}

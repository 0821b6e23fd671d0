import type { Network, TokenDomain } from '@ergon/protocols'
import { ChallengeMismatch, requireAddress, requireSame } from './challenge-mismatch.ts'
import type { OperationsClient, Output } from './client.ts'
import { splitFee } from '@ergon/contract/facts'
import { atomicOf } from './money.ts'
import type { Address, Signer } from '@ergon/protocols'

/** What a caller may pin from its own records, so that the service's word is not the only one. */
export type Pins = {
  readonly worker_wallet?: string
  readonly bounty_usd?: number
  readonly payment_network?: string
  readonly payment_token?: string
}

/** What the publisher of a task agreed to pay, in what, where, and to whom. */
export type Agreement = {
  readonly task: Output<'tasks.get'>
  readonly network: Network & { readonly chainId: number }
  readonly token: TokenDomain
  readonly decimals: number
  readonly signer: Signer
  readonly worker: Address
  readonly gross: bigint
  readonly payout: bigint
  readonly fee: bigint
}

/** The networks whose addresses are trusted: those of the table unless the caller has their own. */
export type Trust = { readonly client: OperationsClient; readonly networks: readonly Network[] }

/** Puts together what is to be paid from the task, the worker, the caller's pins and our own table of networks. */
export async function readAgreement(
  trust: Trust,
  taskId: string,
  executorId: string,
  pins: Pins,
  known?: Output<'tasks.get'>,
): Promise<Agreement> {
  const { client } = trust
  const signer = requireSigner(client)
  const [task, worker] = await Promise.all([
    known ?? client.tasks.get({ task_id: taskId }),
    client.workers.get({ executor_id: executorId }),
  ])
  requireSame('task', taskId, task.id)
  requireSame('worker', executorId, worker.id)
  requireAddress('payer', signer.address, task.agent_id)
  requirePinned(task, pins)
  if (pins.worker_wallet !== undefined) requireAddress('worker wallet', pins.worker_wallet, worker.wallet_address)
  const { network, token, decimals } = knownToken(trust.networks, task.payment_network, task.payment_token)
  const gross = atomicOf(task.bounty_usd, decimals)
  return {
    task,
    network,
    token,
    decimals,
    signer,
    worker: addressOf('worker wallet', worker.wallet_address),
    gross,
    ...splitFee(gross),
  }
}

/** The same of a task for which this wallet signs no payment: its worker has the wallet that the caller knows. */
export async function requireUnlocked(
  client: OperationsClient,
  task: Output<'tasks.get'>,
  executor_id: string,
  pins: Pins,
): Promise<void> {
  requirePinned(task, pins)
  if (pins.worker_wallet === undefined) return
  const { wallet_address } = await client.workers.get({ executor_id })
  requireAddress('worker wallet', pins.worker_wallet, wallet_address)
}

/** @throws ChallengeMismatch where a task is not what the caller's own records say. */
function requirePinned(task: Output<'tasks.get'>, pins: Pins): void {
  if (pins.bounty_usd !== undefined) requireSame('bounty', pins.bounty_usd, task.bounty_usd)
  if (pins.payment_network !== undefined) requireSame('network', pins.payment_network, task.payment_network)
  if (pins.payment_token !== undefined) requireSame('token', pins.payment_token, task.payment_token)
}

/** Whether a task is paid on a ledger without escrow: by the tick, or at its approval. Nothing is locked for it. */
export function isUnlocked({ payment_network }: Output<'tasks.get'>): boolean {
  return payment_network === 'solana'
}

/** @throws TypeError when the client was made without a wallet. */
export function requireSigner(client: OperationsClient): Signer {
  if (client.signer === undefined) throw new TypeError('this needs a client with a signer')
  return client.signer
}

/** A row of the table that has a chain. */
export function knownNetwork(networks: readonly Network[], name: string): Network & { readonly chainId: number } {
  const network = networks.find((one) => one.name === name)
  const chainId = network?.chainId
  if (network === undefined || chainId === undefined)
    throw new ChallengeMismatch('network', 'a network of the table', name)
  return { ...network, chainId }
}

/** A token of a network of the table, with the domain its transfers are signed under. */
export function knownToken(
  networks: readonly Network[],
  name: string,
  symbol: string,
): {
  readonly network: Network & { readonly chainId: number }
  readonly token: TokenDomain
  readonly decimals: number
} {
  const network = knownNetwork(networks, name)
  const token = Object.values(network.tokens).find((one) => one.symbol === symbol)
  if (token === undefined) throw new ChallengeMismatch('token', `a token of ${name}`, symbol)
  const verifyingContract = addressOf('token', token.address)
  return {
    network,
    token: { name: token.name, version: token.version, chainId: network.chainId, verifyingContract },
    decimals: token.decimals,
  }
}

/** @throws ChallengeMismatch when the text is no address. */
export function addressOf(term: string, text: unknown): Address {
  if (typeof text !== 'string' || !/^0x[0-9a-f]{40}$/i.test(text)) throw new ChallengeMismatch(term, 'an address', text)
  // The pattern above is the type.
  return text.toLowerCase() as Address
}

import {
  decimalsCalldata,
  networkByChainId,
  otherDecimals,
  parseNetworkRows,
  sameAddress,
  toChecksumAddress,
  type Address,
  type EscrowDeployment,
  type Hex,
  type Network,
} from '@ergon/protocols'
import { word } from '../abi-words.ts'
import { artifacts } from '../artifacts.ts'
import { openChain, type ChainHand } from './chain-hand.ts'
import { deployedBefore } from './deployed-before.ts'
import type { DeployOptions } from './options.ts'
import { expectUnit, proofGas, proveConditions, proveOneUnit, type Proof } from './prove-operator.ts'

export type Deployed = { readonly row: Network; readonly proof: Proof }

/**
 * Puts our operator before the escrow of a chain and shows that it works. Whatever ended an earlier run, a lost answer
 * too, this one goes on with what it left on the chain: nothing is deployed or locked twice.
 * @throws with a message for the reader
 */
export async function deployOperator(options: DeployOptions, tell: (line: string) => void): Promise<Deployed> {
  const hand = await openChain(options.rpcUrl, options.privateKey)
  const base = options.base ?? networkByChainId(hand.chainId)
  if (base?.chainId === undefined)
    throw new Error(`no built-in row is of chain ${String(hand.chainId)}: give one with --row`)
  if (base.chainId !== hand.chainId)
    throw new Error(`the row ${base.name} is of chain ${String(base.chainId)} and the node of ${String(hand.chainId)}`)
  const { escrow } = base
  if (escrow === undefined) throw new Error(`the row ${base.name} has no escrow to put an operator before`)
  await refuse(options, hand, escrow, base)
  const operator = await operatorOf(hand, creation(options, escrow), base, tell)
  const row = rowOf(options, base, { ...escrow, operator: toChecksumAddress(operator) })
  await proveConditions(hand, options, row)
  tell('its escrow, treasury, facilitator, fee and limit are as asked')
  const proof = await proveOneUnit(hand, options, row)
  tell(`one unit was locked ${when(proof.lockTx)} and released ${when(proof.releaseTx)}`)
  return { row, proof }
}

const when = (hash: string | undefined): string => (hash === undefined ? 'by an earlier run' : `in ${hash}`)

/** The operator that an earlier run deployed, or a new one. */
async function operatorOf(
  hand: ChainHand,
  creation: Hex,
  base: Network,
  tell: (line: string) => void,
): Promise<Address> {
  const earlier = await deployedBefore(hand, creation)
  if (earlier !== undefined) {
    tell(`operator ${earlier} on chain ${String(hand.chainId)}, deployed by an earlier run`)
    return earlier
  }
  await expectUnit(hand, base)
  const { account, reader } = hand
  await hand.expectGas((await reader.estimateGas({ account, data: creation })) + proofGas)
  const { created, hash } = await hand.send(undefined, creation)
  if (created === undefined) throw new Error(`${hash} created nothing`)
  tell(`operator ${created} on chain ${String(hand.chainId)}, in ${hash}`)
  return created
}

/** What would fail later is refused before anything is paid for. */
async function refuse(
  options: DeployOptions,
  { account, reader }: ChainHand,
  escrow: EscrowDeployment,
  base: Network,
): Promise<void> {
  const { facilitator, treasury, feeBps, maxDepositAtomic } = options
  // What is printed in the end has to be what both processes take.
  parseNetworkRows([rowOf(options, base, escrow)])
  if (sameAddress(account.address, facilitator))
    throw new Error('the key is the facilitator itself: the proof needs a payer and a payee that are two accounts')
  if (sameAddress(facilitator, treasury))
    throw new Error('facilitator and treasury are one account: nobody is paid there')
  if (feeBps >= 10_000) throw new Error('--fee-bps leaves nothing to the payee')
  if (maxDepositAtomic < 1n) throw new Error('--max-deposit lets nothing be held')
  for (const address of [escrow.escrow, escrow.collector, ...Object.values(base.tokens).map((token) => token.address)])
    if (((await reader.getCode({ address: address as `0x${string}` })) ?? '0x') === '0x')
      throw new Error(`there is no contract at ${address}, which the row ${base.name} names`)
  for (const token of Object.values(base.tokens)) {
    const { data } = await reader.call({ to: token.address as Hex, data: decimalsCalldata() })
    const fault = otherDecimals(token, data)
    if (fault !== undefined) throw new Error(`${fault}: change the row ${base.name}`)
  }
}

function creation({ treasury, facilitator, feeBps, maxDepositAtomic }: DeployOptions, escrow: EscrowDeployment): Hex {
  const given = [escrow.escrow, treasury, facilitator, BigInt(feeBps), maxDepositAtomic].map((value) => word(value))
  return `${artifacts.Operator.bytecode}${given.join('')}`
}

/** The base with our operator; nobody else takes a share of its fee. */
function rowOf({ name }: DeployOptions, base: Network, escrow: EscrowDeployment): Network {
  const { protocolFeeConfig: _none, ...kept } = escrow
  return {
    ...base,
    // A row of a file may have any name: settings are called after it.
    name: (name ?? `${base.name}-own`) as Network['name'],
    title: `${base.title}, own operator`,
    escrow: { ...kept, operatorAbi: 'legacy' },
  }
}

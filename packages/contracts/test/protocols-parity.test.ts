import {
  agentMintAbi,
  agentMintCode,
  collectorAbi,
  escrowAbi,
  identityRegistryAbi,
  operatorAbi,
  ratingDelegateAbi,
  reputationRegistryAbi,
  tokenAbi,
} from '@ergon/protocols'
import { expect, test } from 'vitest'
import type { Abi } from 'viem'
import { formatAbiItem } from 'viem/utils'
import { agentMint, artifacts, type ContractName } from '../src/index.ts'
import { abiOf } from './chain.ts'

const pairs: readonly (readonly [ContractName, Abi])[] = [
  ['TestUSD', tokenAbi],
  ['Escrow', escrowAbi],
  ['Eip3009Collector', collectorAbi],
  ['Operator', operatorAbi.legacy],
  ['IdentityRegistry', identityRegistryAbi],
  ['ReputationRegistry', reputationRegistryAbi],
  ['RatingDelegate', ratingDelegateAbi],
]

/** What a caller names, and what it gets: the names, parameters and results that an encoding depends on. */
function signatures(abi: Abi): readonly string[] {
  return abi.flatMap((item) => {
    if (item.type === 'function') {
      return [`function ${formatAbiItem(item)} ${JSON.stringify(item.outputs.map((output) => output.type))}`]
    }
    if (item.type === 'event') {
      return [`event ${formatAbiItem(item)} ${JSON.stringify(item.inputs.map((input) => input.indexed ?? false))}`]
    }
    return item.type === 'error' ? [`error ${formatAbiItem(item)}`] : []
  })
}

// A contract passes on the errors of those that it calls.
const errors = Object.values(artifacts).flatMap((artifact) => abiOf(artifact).filter((item) => item.type === 'error'))

test.each(pairs)('what the protocols know of %s is there on the local chain', (name, abi) => {
  const present = new Set(signatures([...abiOf(artifacts[name]), ...errors]))
  expect(signatures(abi).filter((signature) => !present.has(signature))).toEqual([])
})

test('the creation code that the protocols know is the one that is compiled here', () => {
  expect(agentMintCode).toBe(agentMint.bytecode)
  const argumentsOf = (abi: Abi): unknown =>
    abi.flatMap((item) =>
      item.type === 'constructor' ? item.inputs.map(({ name, type }) => `${type} ${name ?? ''}`) : [],
    )
  expect(argumentsOf(agentMintAbi)).toEqual(argumentsOf(abiOf(agentMint)))
})

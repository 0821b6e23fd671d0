import agentMintJson from '../artifacts/AgentMint.json' with { type: 'json' }
import eip3009Collector from '../artifacts/Eip3009Collector.json' with { type: 'json' }
import escrow from '../artifacts/Escrow.json' with { type: 'json' }
import identityRegistry from '../artifacts/IdentityRegistry.json' with { type: 'json' }
import operator from '../artifacts/Operator.json' with { type: 'json' }
import ratingDelegate from '../artifacts/RatingDelegate.json' with { type: 'json' }
import reputationRegistry from '../artifacts/ReputationRegistry.json' with { type: 'json' }
import testUsd from '../artifacts/TestUSD.json' with { type: 'json' }

/** One entry of a JSON ABI. */
export type AbiEntry = { readonly type: string; readonly name?: string; readonly [key: string]: unknown }

/** A compiled contract: its interface and its creation code, without constructor arguments. */
export type Artifact = { readonly abi: readonly AbiEntry[]; readonly bytecode: `0x${string}` }

function artifact(json: { abi: readonly AbiEntry[]; bytecode: string }): Artifact {
  // JSON modules have no literal types; the compiler writes the prefix.
  return { abi: json.abi, bytecode: json.bytecode as `0x${string}` }
}

/** The compiled contracts of the local chain. */
export const artifacts = {
  TestUSD: artifact(testUsd),
  Escrow: artifact(escrow),
  Eip3009Collector: artifact(eip3009Collector),
  Operator: artifact(operator),
  IdentityRegistry: artifact(identityRegistry),
  ReputationRegistry: artifact(reputationRegistry),
  RatingDelegate: artifact(ratingDelegate),
} as const

/** Creation code that is sent and leaves no contract. */
export const agentMint = artifact(agentMintJson)

/** The name of a contract of the local chain. */
export type ContractName = keyof typeof artifacts

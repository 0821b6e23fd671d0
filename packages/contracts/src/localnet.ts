import { shortStrings, word } from './abi-words.ts'
import { artifacts, type ContractName } from './artifacts.ts'
import { localRoles } from './local-accounts.ts'

/** The chain id of the local chain: no real chain has it, so no signature made here is worth anything elsewhere. */
export const localChainId = 31_337

/** What the platform takes of a bounty: 13 % (spec, fee split). */
const feeBps = 1_300n
/** The most that one payment may hold: 100 dollars in atomic units. */
const maxDepositAtomic = 100_000_000n

/**
 * Where the contracts of the local chain are. The deployer creates them with its first transactions in this order,
 * and a created address depends on nothing but the creator and its nonce.
 */
export const localAddresses = {
  TestUSD: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  Escrow: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
  Eip3009Collector: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  Operator: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
  IdentityRegistry: '0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9',
  ReputationRegistry: '0x5FC8d32690cc91D4c39d9d3abcBD16989F875707',
  RatingDelegate: '0x0165878A594ca255338adfa4d48449f69242Eb8F',
} as const satisfies Record<ContractName, `0x${string}`>

/** The agent id of the platform itself: the first one, since ids start at zero. */
export const platformAgentId = 0n

/** One of the deployer's first transactions. Its place in the list is its nonce. */
export type DeploymentStep = {
  readonly creates?: ContractName
  readonly to?: `0x${string}`
  readonly data: `0x${string}`
}

function create(name: ContractName, encodedArguments: string): DeploymentStep {
  return { creates: name, data: `${artifacts[name].bytecode}${encodedArguments}` }
}

/** The deployer's transactions, by nonce. */
export function deploymentSteps(): readonly DeploymentStep[] {
  const { deployer, facilitator, treasury, service } = localRoles
  const { Escrow, IdentityRegistry, ReputationRegistry } = localAddresses
  return [
    create('TestUSD', shortStrings(['USD Coin', 'USDC', '2'])),
    create('Escrow', ''),
    create('Eip3009Collector', word(Escrow)),
    create(
      'Operator',
      [Escrow, treasury.address, facilitator.address, feeBps, maxDepositAtomic].map((value) => word(value)).join(''),
    ),
    create('IdentityRegistry', ''),
    create('ReputationRegistry', word(IdentityRegistry)),
    create('RatingDelegate', word(ReputationRegistry)),
    // register()
    { to: IdentityRegistry, data: '0x1aa3a008' },
    // transferFrom(deployer, service, platformAgentId)
    {
      to: IdentityRegistry,
      data: `0x23b872dd${word(deployer.address)}${word(service.address)}${word(platformAgentId)}`,
    },
  ]
}

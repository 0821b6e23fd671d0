import { operatorCreate3Abi, operatorLegacyAbi } from './abis/operator.ts'

export { tokenAbi } from './abis/token.ts'
export { collectorAbi, escrowAbi } from './abis/escrow.ts'
export { identityRegistryAbi, ratingDelegateAbi, reputationRegistryAbi } from './abis/erc8004.ts'

/** The operator's ABI by generation; a network's row says which one answers there. */
export const operatorAbi = { legacy: operatorLegacyAbi, create3: operatorCreate3Abi } as const

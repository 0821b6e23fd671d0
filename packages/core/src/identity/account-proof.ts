/**
 * How an account proves itself: by the key of its address, which is one account on every chain, or as a contract, which
 * is an account of its chain alone: elsewhere the same address may have other owners, or none (decision 0097).
 */
export type AccountProof = 'key' | `contract@eip155:${number}`

export function accountProof(byKey: boolean, chainId: number): AccountProof {
  return byKey ? 'key' : `contract@eip155:${chainId}`
}

/** Whether what is paid to the account's address on a chain is surely the account's own. */
export function isOwnOn(proof: AccountProof | undefined, chainId: number | null): boolean {
  return proof === undefined || proof === 'key' || (chainId !== null && proof === accountProof(false, chainId))
}

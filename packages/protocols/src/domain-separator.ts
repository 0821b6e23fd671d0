import type { Address } from './bytes.ts'
import { fixedTypeHash, hashString } from './eip712.ts'
import { keccak256 } from './keccak.ts'
import { createWords, putAddress, putBytes32, putUint } from './words.ts'

/** A domain that names a contract, as a token's does. */
export type ContractDomain = {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Address
}

/** The separator of a domain with a name, a version, a chain and a contract. */
export function contractDomainSeparator(domain: ContractDomain): Uint8Array {
  const words = createWords(5)
  putBytes32(
    words,
    0,
    fixedTypeHash('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
  )
  putBytes32(words, 1, hashString(domain.name))
  putBytes32(words, 2, hashString(domain.version))
  putUint(words, 3, domain.chainId, 256)
  putAddress(words, 4, domain.verifyingContract)
  return keccak256(words.bytes)
}

/** The separator of a domain with a name, a version and a chain, and no contract. */
export function chainDomainSeparator(domainName: string, domainVersion: string, chainId: number): Uint8Array {
  const words = createWords(4)
  putBytes32(words, 0, fixedTypeHash('EIP712Domain(string name,string version,uint256 chainId)'))
  putBytes32(words, 1, hashString(domainName))
  putBytes32(words, 2, hashString(domainVersion))
  putUint(words, 3, chainId, 256)
  return keccak256(words.bytes)
}

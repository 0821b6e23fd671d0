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

const separators = new Map<string, Uint8Array>()
/** Far more domains than anybody serves; whoever brings others makes us hash again, and no more. */
const mostSeparators = 64

function remembered(key: string, make: () => Uint8Array): Uint8Array {
  const known = separators.get(key)
  if (known !== undefined) return known
  const made = make()
  if (separators.size >= mostSeparators) separators.clear()
  separators.set(key, made)
  return made
}

/** The separator of a domain with a name, a version, a chain and a contract; it is shared, so never write into it. */
export function contractDomainSeparator(domain: ContractDomain): Uint8Array {
  const { name, version, chainId, verifyingContract } = domain
  return remembered(JSON.stringify([name, version, chainId, verifyingContract]), () => hashContractDomain(domain))
}

function hashContractDomain(domain: ContractDomain): Uint8Array {
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

/** The separator of a domain with a name, a version and a chain, and no contract; shared like the other. */
export function chainDomainSeparator(domainName: string, domainVersion: string, chainId: number): Uint8Array {
  return remembered(JSON.stringify([domainName, domainVersion, chainId]), () =>
    hashChainDomain(domainName, domainVersion, chainId),
  )
}

function hashChainDomain(domainName: string, domainVersion: string, chainId: number): Uint8Array {
  const words = createWords(4)
  putBytes32(words, 0, fixedTypeHash('EIP712Domain(string name,string version,uint256 chainId)'))
  putBytes32(words, 1, hashString(domainName))
  putBytes32(words, 2, hashString(domainVersion))
  putUint(words, 3, chainId, 256)
  return keccak256(words.bytes)
}

import { BlockList, isIP } from 'node:net'
import { closedV4Blocks, closedV6Blocks, givenV6Block, type AddressBlock } from './special-networks.ts'

type Family = 'ipv4' | 'ipv6'

/** Whether an address of this family is in one of the blocks; the list is made when it is asked first. */
export function inBlocks(family: Family, blocks: readonly AddressBlock[]): (address: string) => boolean {
  let list: BlockList | undefined
  return (address) => {
    list ??= listOf(family, blocks)
    return list.check(address, family)
  }
}

/** The family of an address without a zone, which means something on one machine alone; undefined: it is none. */
export function familyOf(address: string): Family | undefined {
  const family = address.includes('%') ? 0 : isIP(address)
  return family === 0 ? undefined : family === 4 ? 'ipv4' : 'ipv6'
}

/**
 * Whether a packet to this address stays on the public internet. IPv6 is asked for what is given out (2000::/3) rather
 * than for what is not, so mapped, NAT64 and unique-local forms are refused without being named.
 */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address)
  if (family === undefined) return false
  return family === 'ipv4' ? !isClosedV4(address) : isGivenV6(address) && !isClosedV6(address)
}

const isClosedV4 = inBlocks('ipv4', closedV4Blocks)
const isClosedV6 = inBlocks('ipv6', closedV6Blocks)
const isGivenV6 = inBlocks('ipv6', [givenV6Block])

function listOf(family: Family, blocks: readonly AddressBlock[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of blocks) list.addSubnet(network, prefix, family)
  return list
}

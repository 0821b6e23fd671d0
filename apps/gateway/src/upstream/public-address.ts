import { BlockList, isIP } from 'node:net'
import { closedV4Blocks, closedV6Blocks, givenV6Block } from '@ergon/protocols'

const closed = new BlockList()
for (const [network, prefix] of closedV4Blocks) closed.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of closedV6Blocks) closed.addSubnet(network, prefix, 'ipv6')
const given = new BlockList()
given.addSubnet(...givenV6Block, 'ipv6')

/** Whether a packet to this address stays on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  if (family === 4) return !closed.check(address, 'ipv4')
  return given.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

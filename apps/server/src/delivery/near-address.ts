import { BlockList, isIP } from 'node:net'
import { closedV4Blocks, closedV6Blocks, givenV6Block, type AddressBlock } from '@ergon/protocols'

/**
 * Whether a packet to this address stays on the public internet. IPv6 is asked for what is given out (2000::/3) rather
 * than for what is not, so mapped, NAT64 and unique-local forms are refused without being named.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  return family === 4
    ? !closedV4().check(address, 'ipv4')
    : globalV6().check(address, 'ipv6') && !closedV6().check(address, 'ipv6')
}

export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  return family === 4 ? address.startsWith('127.') : loopbackV6().check(address, 'ipv6')
}

/**
 * An address of a private network (RFC 1918, RFC 4193) or of this machine; those at which clouds serve the secrets of a
 * machine are none.
 */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  if (isLoopbackAddress(address)) return true
  return family === 4
    ? privateV4().check(address, 'ipv4')
    : privateV6().check(address, 'ipv6') && !secretsV6().check(address, 'ipv6')
}

const closedV4 = once(() => listOf('ipv4', closedV4Blocks))
const closedV6 = once(() => listOf('ipv6', closedV6Blocks))
const globalV6 = once(() => listOf('ipv6', [givenV6Block]))
const privateV4 = once(() =>
  listOf('ipv4', [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
  ]),
)
const privateV6 = once(() => listOf('ipv6', [['fc00::', 7]]))
/** AWS, Google, Oracle and Scaleway; their other addresses are in no private network. */
const secretsV6 = once(() =>
  listOf('ipv6', [
    ['fd00:ec2::', 32],
    ['fd20:ce::', 32],
    ['fd00:c1::', 32],
    ['fd00:42::', 32],
  ]),
)
const loopbackV6 = once(() => listOf('ipv6', [['::1', 128]]))

function listOf(family: 'ipv4' | 'ipv6', blocks: readonly AddressBlock[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of blocks) list.addSubnet(network, prefix, family)
  return list
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

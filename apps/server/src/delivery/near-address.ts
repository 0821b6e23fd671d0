import { familyOf, inBlocks } from '@ergon/process'

export function isLoopbackAddress(address: string): boolean {
  const family = familyOf(address)
  return family === 'ipv4' ? address.startsWith('127.') : family === 'ipv6' && isLoopbackV6(address)
}

/**
 * An address of a private network (RFC 1918, RFC 4193) or of this machine; those at which clouds serve the secrets of a
 * machine are none.
 */
export function isPrivateAddress(address: string): boolean {
  const family = familyOf(address)
  if (family === undefined) return false
  if (isLoopbackAddress(address)) return true
  return family === 'ipv4' ? isPrivateV4(address) : isPrivateV6(address) && !isSecretV6(address)
}

const isPrivateV4 = inBlocks('ipv4', [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
])
const isPrivateV6 = inBlocks('ipv6', [['fc00::', 7]])
/** AWS, Google, Oracle and Scaleway; their other addresses are in no private network. */
const isSecretV6 = inBlocks('ipv6', [
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
  ['fd00:c1::', 32],
  ['fd00:42::', 32],
])
const isLoopbackV6 = inBlocks('ipv6', [['::1', 128]])

/** An address and how many of its leading bits count (RFC 4632). */
export type AddressBlock = readonly [network: string, prefix: number]

/**
 * IPv4 that no stranger may send us to: IANA's special-purpose registry (RFC 6890), multicast and the reserved top, and
 * one address a cloud serves its metadata at.
 */
export const closedV4Blocks: readonly AddressBlock[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** What is given out of IPv6; mapped, NAT64 and unique-local forms are outside it without being named. */
export const givenV6Block: AddressBlock = ['2000::', 3]

/** Within that: protocol assignments with Teredo and ORCHID, documentation, 6to4, and what only AS112 answers. */
export const closedV6Blocks: readonly AddressBlock[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3ffe::', 16],
  ['3fff::', 20],
]

/**
 * The networks that a caller's address, as `addressKey` has it, is in: the near one and the wide one. Whoever rents
 * addresses has many of one network: a /24 and a /16, of IPv6 a /48 and a /32.
 */
export function addressNetworks(key: string): { readonly near: string; readonly wide: string } {
  const mark = key.includes(':') ? ':' : '.'
  const groups = key.split(mark)
  return { near: groups.slice(0, 3).join(mark), wide: groups.slice(0, 2).join(mark) }
}

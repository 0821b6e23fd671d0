/**
 * The counter of a caller's address. Whoever has an IPv6 address has its whole /64, so that is what is counted; IPv4
 * written as IPv6 is counted as IPv4.
 */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip
  if (/^::ffff:[0-9.]+$/i.test(ip)) return ip.slice('::ffff:'.length)
  const [head = '', tail] = ip.toLowerCase().split('%', 1)[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

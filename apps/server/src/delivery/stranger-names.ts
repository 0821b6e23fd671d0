import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

/** Finds the addresses of names that strangers gave. */
export type StrangerNames = (hostname: string) => Promise<readonly string[]>

export type StrangerNameOptions = {
  /** Name servers as `host:port`; those of the system when left out. */
  readonly servers?: readonly string[]
  /** From the question to the last answer that is waited for. */
  readonly timeoutMs?: number
  readonly hostsFile?: string
}

/**
 * Questions under way at once. What comes beyond is refused, so that silent name servers hold a bounded number of
 * sockets.
 */
const maxUnderWay = 512
const hostsKeptMs = 60_000

/**
 * The names of strangers, asked of name servers directly: the system's own lookup has four threads for the whole
 * process,
 * and name servers that never answer would hold them against the facilitator and the nodes. Each question has its own
 * resolver, which ends with it. The hosts file comes first, as it does for the system, and names one machine only.
 * Rejects when the name leads nowhere or nobody says so in time.
 */
export function createStrangerNames({
  servers,
  timeoutMs = 3_000,
  hostsFile = '/etc/hosts',
}: StrangerNameOptions = {}): StrangerNames {
  const hosts = createHosts(hostsFile)
  const underWay = new Map<string, Promise<readonly string[]>>()
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const known = (await hosts()).get(name) ?? (isLocal(name) ? ['127.0.0.1', '::1'] : undefined)
    if (known !== undefined) return known
    const running = underWay.get(name)
    if (running !== undefined) return running
    if (underWay.size >= maxUnderWay) throw new Error('too many names are being looked up')
    const asked = askServers(name, servers, timeoutMs).finally(() => {
      underWay.delete(name)
    })
    underWay.set(name, asked)
    return asked
  }
}

/** Names of this machine are never asked of others (RFC 6761 §6.3). */
function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

async function askServers(
  name: string,
  servers: readonly string[] | undefined,
  timeoutMs: number,
): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const timer = setTimeout(() => {
    resolver.cancel()
  }, timeoutMs)
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const [first] = answers
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason
    return addresses
  } finally {
    clearTimeout(timer)
  }
}

/** What the hosts file says, read again once a minute; a machine without one has none. */
function createHosts(path: string): () => Promise<ReadonlyMap<string, readonly string[]>> {
  let read: { readonly at: number; readonly hosts: Promise<ReadonlyMap<string, readonly string[]>> } | undefined
  return () => {
    if (read === undefined || performance.now() - read.at > hostsKeptMs) {
      read = {
        at: performance.now(),
        hosts: readFile(path, 'utf8').then(hostsIn, () => new Map<string, readonly string[]>()),
      }
    }
    return read.hosts
  }
}

function hostsIn(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    if (address === undefined) continue
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), address])
  }
  return hosts
}
